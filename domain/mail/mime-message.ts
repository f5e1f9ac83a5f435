import { isMailAddress } from './mail-address.ts';
import type { RenderedMail } from './render-mail.ts';

/** A sender as a setting names it: `Venue <no-reply@example.com>`, or the address alone. */
interface Sender {
  /** Empty for none. */
  readonly name: string;
  readonly address: string;
}

/** Null for what names no address. */
export function senderOf(setting: string): Sender | null {
  const [, name, inside] = /^([^<>]*)<([^<>]+)>$/.exec(setting.trim()) ?? [];
  const address = (inside ?? setting).trim();
  return isMailAddress(address) ? { name: (name ?? '').trim(), address } : null;
}

/** What a host of mail takes on one line (RFC 5322, 2.1.1), without its end. */
const LINE_LENGTH_MAX = 998;
/** Of an encoded word the bytes of text: with the rest of it and the name of the header a line has 76 characters at most (RFC 2047, 2). */
const WORD_BYTES = 39;
/** RFC 5322, 3.6.8. */
const HEADER_NAME = /^[A-Za-z][A-Za-z0-9-]*$/;
const PLAIN = /^[\x20-\x7e]*$/;
/** Of an id, what ends no header and no boundary (RFC 5322, 3.2.3; RFC 2046, 5.1.1). */
const NO_ID = /[^A-Za-z0-9_-]/g;
const ID_LENGTH_MAX = 200;
const BOUNDARY_LENGTH_MAX = 70;

interface MessageTerms extends RenderedMail {
  /** Of the mail: the same one has the same `Message-ID` however often it is sent. */
  readonly id: string;
  readonly from: Sender;
  readonly to: string;
  /** Unix milliseconds. */
  readonly now: number;
}

/**
 * A mail as RFC 5322 and MIME write it, with CRLF and without the dot that ends it. All of it is ASCII, in lines of 998 characters at most.
 *
 * @returns null for one that cannot be written without another meaning
 */
export function mimeMessage({ id, from, to, subject, text, html, headers, now }: MessageTerms): string | null {
  const name = id.replaceAll(NO_ID, '-').slice(0, ID_LENGTH_MAX);
  if (!isMailAddress(to) || !isMailAddress(from.address) || name === '') return null;
  const boundary = `=_${name}`.slice(0, BOUNDARY_LENGTH_MAX);
  const lines = [
    `Date: ${new Date(now).toUTCString().replace('GMT', '+0000')}`,
    `From: ${from.name === '' ? from.address : `${worded(from.name)} <${from.address}>`}`,
    `To: ${to}`,
    `Message-ID: <${name}@${domainOf(from.address)}>`,
    `Subject: ${worded(subject)}`,
  ];
  for (const [header, value] of Object.entries(headers)) {
    if (!HEADER_NAME.test(header) || !PLAIN.test(value)) return null;
    lines.push(`${header}: ${value}`);
  }
  lines.push('MIME-Version: 1.0', `Content-Type: multipart/alternative; boundary="${boundary}"`, '');
  for (const [type, content] of [
    ['plain', text],
    ['html', html],
  ] as const)
    lines.push(
      `--${boundary}`,
      `Content-Type: text/${type}; charset=utf-8`,
      'Content-Transfer-Encoding: base64',
      '',
      ...base64Lines(content),
    );
  lines.push(`--${boundary}--`, '');
  const message = lines.join('\r\n');
  return message.split('\r\n').some((line) => line.length > LINE_LENGTH_MAX) ? null : message;
}

export function domainOf(address: string): string {
  return address.slice(address.lastIndexOf('@') + 1);
}

/** A text of a header as encoded words (RFC 2047), whatever it is: so nothing of it is a comment, a name, or another header. */
function worded(text: string): string {
  const words: string[] = [];
  let word = '';
  // Ends of lines and other controls say nothing in a header.
  for (const character of text.replace(/\p{Cc}+/gu, ' ')) {
    if (utf8(word + character).length > WORD_BYTES) {
      words.push(word);
      word = '';
    }
    word += character;
  }
  return [...words, word].map((each) => `=?utf-8?B?${base64(utf8(each))}?=`).join('\r\n ');
}

/** RFC 2045, 6.8: lines of 76 characters. */
function base64Lines(text: string): string[] {
  return base64(utf8(text.replace(/\r\n|\r|\n/g, '\r\n'))).match(/.{1,76}/g) ?? [];
}

function utf8(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

function base64(bytes: Uint8Array): string {
  let text = '';
  for (const byte of bytes) text += String.fromCharCode(byte);
  return btoa(text);
}
