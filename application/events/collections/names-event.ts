const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** Names shaped like ids are kept for events: one that is mistyped makes no collection. */
export function namesEvent(name: string): boolean {
  return UUID.test(name);
}
