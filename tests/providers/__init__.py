"""Stand-in Pulumi providers: one server speaks the resource provider protocol for every package that it is given.

The real CLI is attached to it with `PULUMI_DEBUG_PROVIDERS`, so what a test looks at is the engine's own behaviour
and this process' memory. What an input may be comes from the installed SDK; what a cloud refuses and which inputs
force a replacement are tables with their sources. It proves a program against those, not against a cloud.
"""
