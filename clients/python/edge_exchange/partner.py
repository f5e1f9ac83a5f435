"""The interface of partners: securities, investors, cap tables, corporate actions, settlements, webhooks."""

from __future__ import annotations

from .generated.partner import PartnerCalls


class PartnerClient(PartnerCalls):
    """Every operation of profile partner."""
