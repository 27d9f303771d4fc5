"""healthcheck.py SOCKET: exits with 0 if the fetcher answers, 3 after 20 s of silence, 1 if it does not run."""

import http.client
import socket
import sys

_LIMIT_S = 20.0


def main() -> int:
    connection = http.client.HTTPConnection("localhost")
    connection.sock = socket.socket(socket.AF_UNIX)
    connection.sock.settimeout(_LIMIT_S)
    try:
        connection.sock.connect(sys.argv[1])
        connection.request("GET", "/")
        return 0 if connection.getresponse().status == 200 else 1
    except TimeoutError:
        return 3
    except (OSError, http.client.HTTPException) as error:
        sys.stderr.write(f"{error}\n")
        return 1


if __name__ == "__main__":
    sys.exit(main())
