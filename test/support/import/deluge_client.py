"""Calls of a Deluge daemon, driven by JSON lines (python-session.ts).

Arguments: host, port, account, password. Operations: `connect`, `call` with `method` and `args`, and `quit`.
"""

import json
import sys
import threading

from deluge.ui.client import Client
from twisted.internet import defer, reactor, threads

host, port, user, password = sys.argv[1:5]
client = Client()


def plain(value):
    """As JSON has it."""
    if isinstance(value, dict):
        return {plain(key): plain(one) for key, one in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(one) for one in value]
    return value.decode("utf8", "replace") if isinstance(value, bytes) else value


@defer.inlineCallbacks
def run(request):
    if request["op"] == "connect":
        yield client.connect(host, int(port), user, password, skip_authentication=False)
        return {}
    namespace, method = request["method"].split(".")
    result = yield getattr(getattr(client, namespace), method)(*request["args"])
    return {"result": plain(result)}


def answer(message):
    print(json.dumps(message), flush=True)


def serve():
    for line in sys.stdin:
        request = json.loads(line)
        if request["op"] == "quit":
            answer({"id": request["id"], "ok": {}})
            break
        try:
            answer({"id": request["id"], "ok": threads.blockingCallFromThread(reactor, run, request)})
        except Exception as error:  # whatever it is, the test says it
            answer({"id": request["id"], "error": f"{type(error).__name__}: {error}"})
    reactor.callFromThread(reactor.stop)


threading.Thread(target=serve, daemon=True).start()
reactor.run(installSignalHandlers=False)
