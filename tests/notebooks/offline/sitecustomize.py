"""Run by every Python that starts with this folder on its path: sockets and look-ups reach this
machine only.
"""

import ipaddress
import os
import sys

WATCHED = {
    "socket.connect": 1,
    "socket.sendto": 1,
    "socket.sendmsg": 1,
    "socket.getaddrinfo": 0,
    "socket.gethostbyname": 0,
    "socket.gethostbyaddr": 0,
}


def inside(place):
    """Whether an address is one of this machine, or a socket in its file system."""
    host = place[0] if isinstance(place, tuple) else place
    if place is None or host in (None, "", "localhost", b"localhost"):
        return True
    if isinstance(place, str) and place.startswith(("/", "\0")):
        return True
    try:
        return ipaddress.ip_address(host.decode() if isinstance(host, bytes) else host).is_loopback
    except ValueError:
        return False


def refuse(event, arguments):
    """An audit hook, which nothing can take back."""
    if event in WATCHED and not inside(arguments[WATCHED[event]]):
        raise PermissionError(f"the network is off: {event} to {arguments[WATCHED[event]]}")


# A proxy on this machine would be a way out.
for variable in [name for name in os.environ if name.lower().endswith("_proxy")]:
    del os.environ[variable]
sys.addaudithook(refuse)
