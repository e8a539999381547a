"""Whole Linux servers as a test fixture, in a world of their own.

A machine is a Debian with systemd, sshd and real cloud-init under systemd-nspawn. It sees a public side, on which the
operator, a mirror, a metadata service, the public web and a resolver answer, and a private side that it shares with
the other machines. All of it lives in namespaces that recorded processes hold; the host is linked to none of it.
"""
