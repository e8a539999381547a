"""A stand-in for Rakazo's api, worker, web and migrate: the same contract, none of the product.

It exists so that the very manifests that run the published image can be proven on a machine
without it. Where the published image would fail late or silently, this one refuses to start.
"""
