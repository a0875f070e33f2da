# SPDX-License-Identifier: GPL-2.0-only
"""A JSON schema of Documentation/, for the checks of reports.

A schema permits keys that it does not name, because new versions can add keys.  This version writes
no such keys, so the checks forbid them.
"""

import json

import jsonschema

PREFIX = '#/$defs/'


class Schema:
    """The parts of a schema; the part CHOICE lists the parts that a value can be one of."""

    def __init__(self, path, choice):
        with open(path, encoding='ascii') as file:
            schema = json.load(file)
        jsonschema.Draft202012Validator.check_schema(schema)
        self.parts = schema.pop('$defs')
        self.parts['root'] = schema
        self.close_parts()
        self.choice = [one['$ref'][len(PREFIX):] for one in self.parts[choice]['oneOf']]
        self.validators = {}

    def pieces(self, part):
        return [piece['$ref'][len(PREFIX):] for piece in part.get('allOf', ()) if '$ref' in piece]

    def close_parts(self):
        """Forbid other keys in each part that is not a piece of another part."""
        pieces = {name for part in self.parts.values() for name in self.pieces(part)}
        for name, part in self.parts.items():
            if ('properties' in part or 'allOf' in part) and name not in pieces:
                part['unevaluatedProperties'] = False

    def keys(self, name):
        """Return the keys of a part."""
        part = self.parts[name]
        keys = set(part.get('properties', ()))
        for piece in self.pieces(part):
            keys |= self.keys(piece)
        return keys

    def mistakes(self, value, name):
        """Return a list of sentences about a value that must have the form of a part."""
        if name not in self.validators:
            part = {'$ref': PREFIX + name, '$defs': self.parts}
            self.validators[name] = jsonschema.Draft202012Validator(part)
        return ['%s: %s' % ('.'.join(map(str, error.absolute_path)) or name, error.message)
                for error in self.validators[name].iter_errors(value)]
