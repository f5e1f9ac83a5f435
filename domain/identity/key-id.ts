/** Ours are UUIDs of version 7 (RFC 9562), and those of the demo `<person>-key`: what is neither is nobody's, whatever is asked about it. */
const KEY_ID = /^(?:[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}|[a-z-]{1,40}-key)$/;

/** Whether an API key may have this id. */
export function isKeyId(text: string): boolean {
  return KEY_ID.test(text);
}
