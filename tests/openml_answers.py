"""OpenML as scikit-learn asks it: answers by the path of an address, made by a test or of scikit-learn's wheel."""

import gzip
import hashlib
import json
from importlib.resources import files
from io import BytesIO
from urllib.error import HTTPError
from urllib.parse import urlsplit

KEPT = files("sklearn.datasets.tests.data.openml")


class Answer(BytesIO):
    def info(self):
        return {}


class Answers:
    """A stand-in for ``urlopen``, which answers 412 as OpenML does if it does not know a set."""

    def __init__(self):
        self.by_path, self.asked = {}, []

    @classmethod
    def instead(cls, monkeypatch, cache):
        """Answers that scikit-learn gets in place of OpenML's, without a wait before it asks again."""
        answers = cls()
        monkeypatch.setattr("sklearn.datasets._openml.urlopen", answers)
        monkeypatch.setattr("time.sleep", lambda seconds: None)
        monkeypatch.setenv("SCIKIT_LEARN_DATA", str(cache))
        return answers

    def __call__(self, request, *_):
        path = urlsplit(request.full_url).path
        self.asked.append(path)
        if path not in self.by_path:
            raise HTTPError(request.full_url, 412, "Precondition Failed", {}, None)
        return Answer(self.by_path[path])

    def keep(self, number, **changes):
        """Answer about a set of the wheel; ``changes`` are entries of its description."""
        folder = KEPT / f"id_{number}"
        described, features = (read_json(folder, f"api-v1-{kind}-{number}.json.gz") for kind in ("jd", "jdf"))
        described = described["data_set_description"] | changes
        data = next(each for each in folder.iterdir() if each.name.startswith("data-"))
        self.add(number, described, features, gzip.decompress(data.read_bytes()))

    def make(self, name, columns, rows, target="class", version=1):
        """Answer about a set with columns by name and kind, and rows of text."""
        number = 10**6 + len(self.by_path)
        texts = [[str(value) for value in row] for row in rows]
        kinds = [f"{{{','.join(sorted(set(column)))}}}" for column in zip(*texts, strict=True)]
        stated = [
            f"@attribute {c} {k if columns[c] == 'nominal' else columns[c]}"
            for c, k in zip(columns, kinds, strict=True)
        ]
        data = "\n".join(["@relation made", *stated, "@data", *map(",".join, texts)])
        described = {"name": name, "version": str(version), "status": "active", "format": "ARFF", "description": ""}
        described |= {
            "url": f"https://openml.test/made/{number}",
            "md5_checksum": hashlib.md5(data.encode()).hexdigest(),
        }
        unmarked = {"is_ignore": "false", "is_row_identifier": "false", "number_of_missing_values": "0"}
        features = [
            {"index": str(i), "name": column, "data_type": kind, "is_target": str(column == target).lower()} | unmarked
            for i, (column, kind) in enumerate(columns.items())
        ]
        self.add(number, described, {"data_features": {"feature": features}}, data.encode())

    def add(self, number, described, features, data):
        search = f"/api/v1/json/data/list/data_name/{described['name'].lower()}/limit/2"
        found = {"data": {"dataset": [{"did": number, "version": described["version"], "status": described["status"]}]}}
        version, active = f"{search}/data_version/{described['version']}", described["status"] == "active"
        answers = {
            f"/api/v1/json/data/{number}": {"data_set_description": described},
            f"/api/v1/json/data/features/{number}": features,
            f"/api/v1/json/data/qualities/{number}": {},
            (version if active else f"{version}/status/deactivated"): found,
        } | ({f"{search}/status/active/": found} if active else {})
        self.by_path |= {path: json.dumps(answer).encode() for path, answer in answers.items()}
        self.by_path[urlsplit(described["url"]).path] = data


def read_json(folder, name):
    return json.loads(gzip.decompress((folder / name).read_bytes()))
