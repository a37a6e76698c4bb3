"""Calls of rTorrent by XML-RPC over SCGI, driven by JSON lines (python-session.ts).

Argument: the socket. Operations: `call` with `method` and `args`, where `{"base64": …}` is bytes, and `quit`.
"""

import base64
import json
import socket
import sys
import xmlrpc.client

path = sys.argv[1]


def decoded(value):
    return xmlrpc.client.Binary(base64.b64decode(value["base64"])) if isinstance(value, dict) else value


def call(method, args):
    body = xmlrpc.client.dumps(tuple(map(decoded, args)), method).encode()
    headers = f"CONTENT_LENGTH\0{len(body)}\0SCGI\0001\0".encode()
    with socket.socket(socket.AF_UNIX) as connection:
        connection.connect(path)
        connection.sendall(f"{len(headers)}:".encode() + headers + b"," + body)
        answer = b""
        while chunk := connection.recv(65536):
            answer += chunk
    (result,), _ = xmlrpc.client.loads(answer.split(b"\r\n\r\n", 1)[1])
    return result


for line in sys.stdin:
    request = json.loads(line)
    if request["op"] == "quit":
        print(json.dumps({"id": request["id"], "ok": {}}), flush=True)
        break
    try:
        answer = {"ok": {"result": call(request["method"], request["args"])}}
    except Exception as error:  # whatever it is, the test says it
        answer = {"error": f"{type(error).__name__}: {error}"}
    print(json.dumps({"id": request["id"], **answer}), flush=True)
