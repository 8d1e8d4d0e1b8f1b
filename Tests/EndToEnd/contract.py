"""Answers of the hub against the schemas of /openapi.json, in both directions: nothing missing, nothing that is not said."""

import copy
import re

import jsonschema


def closed(schema):
    """The schema, with every object that names its properties taking no others."""
    if isinstance(schema, list):
        return [closed(one) for one in schema]
    if not isinstance(schema, dict):
        return schema
    schema = {key: closed(value) for key, value in schema.items()}
    if schema.get("type") == "object" and "properties" in schema:
        schema["additionalProperties"] = False
    return schema


class Untrue(AssertionError):
    """What the hub said is not what its document says."""


class Contract:
    def __init__(self, document):
        self.document = document
        self.components = closed(copy.deepcopy(document["components"]))

    def routes(self, *methods):
        """(method, path) of all of these methods."""
        return {
            (method.upper(), path)
            for path, operations in self.document["paths"].items()
            for method in operations
            if method.upper() in methods
        }

    def validate(self, value, schema):
        validator = jsonschema.Draft202012Validator({**closed(schema), "components": self.components})
        faults = [f"{error.json_path}: {error.message}" for error in validator.iter_errors(value)]
        if faults:
            raise Untrue("\n".join(faults))

    def route(self, method, path):
        """The path of the document for one that was asked for."""
        path = path.split("?")[0]
        if path in self.document["paths"]:
            return path
        for template in self.document["paths"]:
            pattern = re.sub(r"\\\{[A-Za-z]+\\\}", "[^/]+", re.escape(template))
            if re.fullmatch(pattern, path) and method.lower() in self.document["paths"][template]:
                return template
        raise AssertionError(f"{method} {path} is no route of the document")

    def check(self, method, path, answer):
        """answer: (status, body, headers), as Hub.request returns it."""
        status, body, headers = answer
        responses = self.document["paths"][self.route(method, path)][method.lower()]["responses"]
        assert str(status) in responses, f"{method} {path} answers {status}, and says {sorted(responses)}"
        content = responses[str(status)].get("content")
        if content is None:
            assert not body, f"{method} {path} says that {status} has no body"
            return body
        media = headers["Content-Type"]
        assert media in content, f"{method} {path} answers {media}, and says {sorted(content)}"
        schema = content[media].get("schema")
        if schema is not None:
            self.validate(body, schema)
        return body

    def socket(self, frame, side="hub"):
        self.validate(frame, self.document["x-websocket"]["/api/live"][side])
