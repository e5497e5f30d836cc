"""tantivy as a peer of the bench of speed: one task a line of JSON from stdin, one answer a line to stdout.

Times are taken here, around each search, so that the pipe between the processes does not count. One thread indexes, and one searches.
"""

import json
import os
import sys
import time

import tantivy

PAGE = 12
TEXT = "text"
HEAP_BYTES = 256_000_000
TOKENIZER = "bench"


def waited_ms():
    """Milliseconds so far for which this thread was ready and waited for a core; 0 where the system does not tell."""
    try:
        with open(f"/proc/self/task/{os.getpid()}/schedstat", encoding="ascii") as file:
            return int(file.read().split()[1]) / 1e6
    except OSError:
        return 0.0


def rss_bytes():
    try:
        with open("/proc/self/statm", encoding="ascii") as file:
            return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except OSError:
        return 0


class Peer:
    def __init__(self):
        builder = tantivy.SchemaBuilder()
        builder.add_integer_field("id", stored=True)
        # "freq": no positions, as no query asks for a phrase.
        builder.add_text_field(TEXT, stored=False, tokenizer_name=TOKENIZER, index_option="freq")
        self.schema = builder.build()
        self.index = tantivy.Index(self.schema)
        lower = tantivy.TextAnalyzerBuilder(tantivy.Tokenizer.simple()).filter(tantivy.Filter.lowercase())
        self.index.register_tokenizer(TOKENIZER, lower.build())
        self.writer = self.index.writer(HEAP_BYTES, 1)
        self.searcher = None

    def fill(self, rows):
        started, cpu = time.perf_counter(), time.process_time()
        for number, text in rows:
            self.writer.add_document(tantivy.Document(id=number, text=text))
        return {"ms": (time.perf_counter() - started) * 1e3, "cpuMs": (time.process_time() - cpu) * 1e3}

    def finish(self):
        started, cpu = time.perf_counter(), time.process_time()
        self.writer.commit()
        self.writer.wait_merging_threads()
        self.index.reload()
        self.searcher = self.index.searcher()
        return {"ms": (time.perf_counter() - started) * 1e3, "cpuMs": (time.process_time() - cpu) * 1e3}

    def search(self, words):
        terms = [(tantivy.Occur.Should, tantivy.Query.term_query(self.schema, TEXT, word, "freq")) for word in words]
        found = self.searcher.search(tantivy.Query.boolean_query(terms), limit=PAGE, count=True)
        for _, address in found.hits:
            self.searcher.doc(address)
        return found.count

    def ask(self, queries, most_ms):
        times, cpu, counts = [], [], []
        until = time.perf_counter() + most_ms / 1e3
        for words in queries:
            waited, used, started = waited_ms(), time.thread_time(), time.perf_counter()
            if times and started > until:
                break
            counts.append(self.search(words) if words else 0)
            elapsed = (time.perf_counter() - started) * 1e3
            cpu.append((time.thread_time() - used) * 1e3)
            times.append(max(0.0, elapsed - (waited_ms() - waited)))
        return {"times": times, "cpu": cpu, "found": counts}


def main():
    peer = Peer()
    for line in sys.stdin:
        task = json.loads(line)
        if "fill" in task:
            answer = peer.fill(task["fill"])
        elif "ask" in task:
            answer = peer.ask(task["ask"], task["mostMs"])
        elif "memory" in task:
            answer = {"rss": rss_bytes(), "held": 0}
        else:
            answer = peer.finish()
        print(json.dumps(answer), flush=True)


main()
