"""The mail servers of the settings."""

from __future__ import annotations

from pbem.config import Config
from pbem.mail.imap import ImapMailbox
from pbem.mail.oauth import Tokens
from pbem.mail.smtp import Sender


def imap_mailbox(config: Config) -> ImapMailbox:
    """The IMAP folder of the settings."""
    return ImapMailbox(
        config.imap_host, config.imap_user or config.address, config.imap_password.get_secret_value(), port=config.imap_port,
        tls={"tls": "ssl"}.get(config.imap_security, config.imap_security), folder=config.imap_folder,
        processed=config.imap_processed, quarantine=config.imap_quarantine, largest=config.max_mail_bytes, tokens=_tokens(config),
    )


def smtp_sender(config: Config, timeout: float = 30) -> Sender:
    """The mail server of the settings, for sending."""
    password, tokens = config.smtp_password.get_secret_value(), _tokens(config)
    user = (config.smtp_user or config.address) if password or tokens else ""
    tls = {"tls": "ssl"}.get(config.smtp_security, config.smtp_security)
    return Sender(config.smtp_host, config.smtp_port, user, password, tls=tls, timeout=timeout, tokens=tokens)


def _tokens(config: Config) -> Tokens | None:
    if not config.oauth_token_url:
        return None
    return Tokens(
        config.oauth_token_url, config.oauth_client_id, config.oauth_client_secret.get_secret_value(),
        config.oauth_refresh_token.get_secret_value(), config.oauth_scope,
    )
