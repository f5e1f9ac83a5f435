/**
 * What a feed object and a book say to each other over their socket. Text lines: a topic's key never has a line break, nor has JSON.
 * The book answers an `open` on the same socket, so that what follows the answer is what has been published since.
 */

/** Marks the socket of a feed object; the Worker never sets it. */
export const INNER_HEADER = 'x-feed-inner';

/**
 * Topics of one socket. A book keeps their keys in its attachment, which ends at 16 KiB; a key has at most 90 characters: channel, pair and the
 * id of an account.
 */
export const TOPICS_PER_SOCKET_MAX = 150;

/** Well below what a socket takes; one message alone is never as long. */
const FRAME_LENGTH_MAX = 256 * 1_024;

type InnerRequest =
  | { readonly type: 'open'; readonly ref: number; readonly resumeFrom: number | null; readonly key: string }
  | { readonly type: 'close'; readonly key: string };

export function openRequest(ref: number, resumeFrom: number | null, key: string): string {
  return `+${ref}\n${resumeFrom ?? ''}\n${key}`;
}

export function closeRequest(key: string): string {
  return `-${key}`;
}

/** @throws Error for what `openRequest` and `closeRequest` cannot have made */
export function readInnerRequest(text: string): InnerRequest {
  if (text.startsWith('-')) return { type: 'close', key: text.slice(1) };
  const [ref, resumeFrom, key] = text.split('\n');
  if (!text.startsWith('+') || ref === undefined || key === undefined) throw new Error('malformed inner request');
  return {
    type: 'open',
    ref: Number(ref.slice(1)),
    resumeFrom: resumeFrom === undefined || resumeFrom === '' ? null : Number(resumeFrom),
    key,
  };
}

export function openingReply(ref: number, messages: readonly string[]): string {
  return [`=${ref}`, ...messages].join('\n');
}

/** What leaves together arrives together, so that a feed object passes it on in one turn; divided only where it is very long. */
export function topicFrames(key: string, texts: readonly string[]): string[] {
  const frames: string[] = [];
  let frame = key;
  for (const text of texts) {
    if (frame.length > key.length && frame.length + text.length > FRAME_LENGTH_MAX) {
      frames.push(frame);
      frame = key;
    }
    frame += `\n${text}`;
  }
  frames.push(frame);
  return frames;
}

type InnerFrame =
  | { readonly type: 'opened'; readonly ref: number; readonly messages: readonly string[] }
  | { readonly type: 'published'; readonly key: string; readonly texts: readonly string[] };

export function readInnerFrame(frame: string): InnerFrame {
  const end = frame.indexOf('\n');
  const head = end < 0 ? frame : frame.slice(0, end);
  const lines = end < 0 ? [] : frame.slice(end + 1).split('\n');
  if (!head.startsWith('=')) return { type: 'published', key: head, texts: lines };
  return { type: 'opened', ref: Number(head.slice(1)), messages: lines };
}
