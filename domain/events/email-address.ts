const LENGTH_MAX = 320;
/** Characters of an unquoted local part: those of RFC 5322, and by RFC 6531 all beyond ASCII that print. */
const LOCAL = /^[a-z0-9!#$%&'*+/=?^_`{|}~\u00a1-\u{10ffff}-]+(?:\.[a-z0-9!#$%&'*+/=?^_`{|}~\u00a1-\u{10ffff}-]+)*$/iu;
const LABEL = /^[\p{L}\p{N}](?:[\p{L}\p{M}\p{N}-]{0,61}[\p{L}\p{M}\p{N}])?$/u;
/** Spaces, controls and signs that are not seen. */
const UNSEEN = /[\p{Z}\p{C}]/u;

/** Whether a text is an address for mail, with or without characters beyond ASCII (RFC 5321, RFC 6531). Quoted local parts and addresses of IP are not taken. */
export function isEmailAddress(text: string): boolean {
  const at = text.lastIndexOf('@');
  const local = text.slice(0, at);
  const labels = text.slice(at + 1).split('.');
  return (
    at > 0 &&
    text.length <= LENGTH_MAX &&
    !UNSEEN.test(text) &&
    LOCAL.test(local) &&
    labels.length > 1 &&
    labels.every((label) => LABEL.test(label)) &&
    !/^\d+$/.test(labels.at(-1)!)
  );
}

/** What two spellings of one address have in common: case, and how marks are composed. */
export function sameEmail(text: string): string {
  return text.normalize('NFC').toLowerCase();
}
