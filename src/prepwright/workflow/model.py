"""Workflow: a DAG of steps, as it is read from and written to JSON."""

import json
from collections.abc import Mapping
from typing import Annotated, Any, Literal, cast

from pydantic import BeforeValidator, Field, SerializeAsAny, TypeAdapter, ValidationError

from prepwright.errors import WorkflowError, closest, shown
from prepwright.workflow.operator import Operator, Setting, StepId
from prepwright.workflow.operators import OPERATORS

_LINE = 100
_LARGEST = 64 * 2**20
"""Units: characters. A larger workflow file is refused before it is parsed."""


def _as_step(value: object) -> Operator:
    if isinstance(value, Operator):
        return value
    if not isinstance(value, Mapping):
        raise ValueError(f"a step is an object, not {type(value).__name__}")
    settings = cast("Mapping[str, Any]", value)
    name = settings.get("operator")
    if name not in OPERATORS:
        guess = closest(str(name), list(OPERATORS))
        hint = f"; did you mean {guess!r}?" if guess else f"; known: {', '.join(OPERATORS)}"
        raise ValueError(f"no operator {shown(name)}{hint}")
    return OPERATORS[str(name)].model_validate(settings)


Step = Annotated[SerializeAsAny[Operator], BeforeValidator(_as_step)]


class Workflow(Setting):
    """Steps that read inputs and write outputs. Frozen: a change gives a new workflow.

    Raises: `WorkflowError` from `from_json` when the text is no workflow; faults between steps are
    found by `validate`.
    """

    version: Literal[1] = 1
    request: str = Field(default="", description="the request that the steps came from")
    steps: tuple[Step, ...] = Field(min_length=1)

    @classmethod
    def from_json(cls, text: str | bytes, *, where: str = "workflow") -> "Workflow":
        """Return the workflow that the JSON text describes."""
        return cls.from_data(_parsed(text, where), where=where)

    @classmethod
    def sound_part(
        cls, text: str | bytes, *, where: str = "workflow"
    ) -> tuple["Workflow | None", list[WorkflowError], frozenset[StepId]]:
        """Return what of a workflow has the right shape, the faults of the rest, and its ids.

        Raises: `WorkflowError` when the text is not JSON.
        """
        data = _parsed(text, where)
        try:
            return cls.from_data(data, where=where), [], frozenset()
        except WorkflowError as error:
            faults = list(error.faults)
        given = cast("Mapping[str, Any]", data).get("steps") if isinstance(data, Mapping) else None
        steps = cast("list[Any]", given) if isinstance(given, list) else []
        sound = [step for step in steps if _is_sound(step)]
        absent = {
            str(step["id"])
            for step in steps
            if step not in sound and isinstance(step, Mapping) and "id" in step
        }
        made = cls(steps=tuple(sound)) if sound else None
        return made, faults, frozenset(absent)

    @classmethod
    def from_data(cls, data: object, *, where: str = "workflow") -> "Workflow":
        """Return the workflow that plain data describe, with every fault of the shape at once."""
        try:
            return cls.model_validate(data)
        except ValidationError as error:
            steps = data.get("steps") if isinstance(data, Mapping) else None
            faults = [_shape_fault(item, steps, where) for item in error.errors()]
            first = faults[0]
            raise WorkflowError(
                first.what, where=first.where, found=first.found, fix=first.fix, faults=faults
            ) from None

    def to_data(self) -> dict[str, Any]:
        """Return the workflow as plain data; settings that keep their default are left out."""
        data = self.model_dump(by_alias=True, exclude_defaults=True, mode="json")
        steps = [_ordered(step) for step in self.steps]
        return {"version": 1, **data, "steps": steps}

    def to_json(self) -> str:
        """Return the workflow as JSON text that reads well in a diff."""
        return _laid_out(self.to_data()) + "\n"

    def step(self, step_id: StepId) -> Operator:
        """Return the step of that id."""
        return next(step for step in self.steps if step.id == step_id)

    def numbered(self, step_id: StepId) -> int:
        """Return the place of a step, counted from 1."""
        return next(n for n, step in enumerate(self.steps, 1) if step.id == step_id)

    @staticmethod
    def json_schema() -> dict[str, Any]:
        """Return the published JSON Schema: every operator with its settings, described."""
        made: dict[str, Any] = {}
        definitions: dict[str, Any] = {}
        for name, operator in OPERATORS.items():
            schema = TypeAdapter(operator).json_schema(
                by_alias=True, ref_template="#/$defs/{model}"
            )
            definitions.update(schema.pop("$defs", {}))
            schema["required"] = [*dict.fromkeys(["id", "operator", *schema.get("required", [])])]
            made[name] = schema
        steps = {"type": "array", "minItems": 1, "items": {
            "oneOf": [{"$ref": f"#/$defs/{name}"} for name in made],
            "discriminator": {"propertyName": "operator"},
        }}  # fmt: skip
        return {
            "$schema": "https://json-schema.org/draft/2020-12/schema",
            "title": "prepwright workflow",
            "type": "object",
            "properties": {
                "version": {"const": 1},
                "request": {"type": "string"},
                "steps": steps,
            },
            "required": ["version", "steps"],
            "additionalProperties": False,
            "$defs": {**definitions, **made},
        }


def _parsed(text: str | bytes, where: str) -> object:
    if len(text) > _LARGEST:
        raise WorkflowError(
            "the workflow is too large",
            where=where,
            found=f"{len(text):,} characters",
            fix=f"stay under {_LARGEST:,}",
        )
    try:
        data = json.loads(text, parse_constant=_refuse_constant)
    except (ValueError, RecursionError) as error:
        place = (
            f"line {error.lineno} column {error.colno}: {error.msg}"
            if isinstance(error, json.JSONDecodeError)
            else str(error)[:80]
        )
        raise WorkflowError(
            "this is not JSON", where=where, found=place, fix="mend the text at that place"
        ) from None
    return data


def _is_sound(step: object) -> bool:
    try:
        _as_step(step)
    except ValueError:
        return False
    return True


def _laid_out(value: Any, indent: str = "") -> str:
    """Return JSON text in which what fits on a line stands on a line, but each step on its own."""
    line = json.dumps(value, ensure_ascii=False)
    holds_steps = isinstance(value, dict) and "steps" in value
    if not isinstance(value, dict | list) or (
        len(indent) + len(line) <= _LINE and not holds_steps and indent
    ):
        return line
    inner = indent + "  "
    if isinstance(value, dict):
        pairs = cast("dict[str, Any]", value).items()
        items = [f"{json.dumps(k, ensure_ascii=False)}: {_laid_out(v, inner)}" for k, v in pairs]
    else:
        items = [_laid_out(item, inner) for item in cast("list[Any]", value)]
    opening, closing = ("{", "}") if isinstance(value, dict) else ("[", "]")
    return f"{opening}\n{inner}" + f",\n{inner}".join(items) + f"\n{indent}{closing}"


def _ordered(step: Operator) -> dict[str, Any]:
    data = step.model_dump(by_alias=True, exclude_defaults=True, mode="json")
    last = {name: data.pop(name) for name in ("why", "from", "off") if name in data}
    if isinstance(last.get("from"), dict):
        last["from"] = {k: v for k, v in last["from"].items() if v is not None}
    return {"id": data.pop("id"), "operator": step.operator, **data, **last}


def _refuse_constant(name: str) -> float:
    raise ValueError(f"{name} is not JSON")


def _shape_fault(item: Any, steps: object, where: str) -> WorkflowError:
    path = [part for part in item["loc"] if part not in OPERATORS]
    place, rest = where, path
    if len(path) >= 2 and path[0] == "steps" and isinstance(path[1], int):
        step = steps[path[1]] if isinstance(steps, list) and path[1] < len(steps) else None
        name = step.get("id") if isinstance(step, Mapping) else None
        place = f"{where} step {path[1] + 1}{f' {name}' if name else ''}"
        rest = path[2:]
    setting = ".".join(str(part) for part in rest)
    kind, message = item["type"], str(item["msg"]).removeprefix("Value error, ")
    if kind == "extra_forbidden":
        known = _settings_of(steps, path)
        guess = closest(str(rest[-1]), known) if rest else None
        fix = f"did you mean {guess!r}?" if guess else "leave it out"
        return WorkflowError(
            f"no setting {setting!r}", where=place, found="a name that this operator lacks", fix=fix
        )
    if kind == "missing":
        return WorkflowError(
            f"{setting!r} is missing", where=place, found="no such setting", fix=f"add {setting!r}"
        )
    head, _, hint = message.partition("; ")
    what = f"{setting}: {head}" if setting else head
    return WorkflowError(
        what,
        where=place,
        found=shown(item.get("input")),
        fix=hint or "see prepwright schema for what is allowed here",
    )


def _settings_of(steps: object, path: list[Any]) -> list[str]:
    try:
        step = steps[path[1]]  # type: ignore[index]
        fields = OPERATORS[step["operator"]].model_fields
    except (TypeError, KeyError, IndexError):
        return list(Workflow.model_fields)
    return [info.alias or name for name, info in fields.items()]
