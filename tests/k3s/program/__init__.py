"""The program inside the file that stands in for k3s.

It keeps k3s' interface (commands, configuration files, flags, tokens, paths, units' protocol) and, where k3s has the
components compiled in, starts the real ones as programs. It runs inside the machines of the tests with nothing but
Debian's Python, PyYAML and cryptography, from one file that `tests.k3s.build` makes.
"""
