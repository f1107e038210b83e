"""Game records as text: one record per game, which can be replayed without the seed (docs/records.md)."""

from __future__ import annotations

from tower_core.records.model import Move, Record, RecordError
from tower_core.records.reader import parse_records, read_records
from tower_core.records.replay import check, record_of, replay, state_at
from tower_core.records.text import format_record
from tower_core.records.writer import append_record, write_records

__all__ = [
    "Move",
    "Record",
    "RecordError",
    "append_record",
    "check",
    "format_record",
    "parse_records",
    "read_records",
    "record_of",
    "replay",
    "state_at",
    "write_records",
]
