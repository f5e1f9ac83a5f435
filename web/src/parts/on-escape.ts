/** How each open dialog is closed, the one on top last. */
const opened: (() => void)[] = [];

/**
 * Closes the dialog on top at Escape: what lies beneath stays open, with what was typed there. Those beneath hear the key first, so none of them is on
 * top in the same press. The answer is called when the dialog is open no more.
 */
export function onEscape(close: () => void, target: EventTarget): () => void {
  const entry = () => close();
  const hear = (event: Event) => {
    if (isEscape(event) && opened.at(-1) === entry) close();
  };
  opened.push(entry);
  target.addEventListener('keydown', hear, { capture: true });
  return () => {
    target.removeEventListener('keydown', hear, { capture: true });
    opened.splice(opened.indexOf(entry), 1);
  };
}

/** A key that ends a composed character, or closes a menu within the dialog, closes no dialog. */
function isEscape(event: Event & { readonly key?: string; readonly isComposing?: boolean }): boolean {
  if (event.key !== 'Escape' || event.isComposing === true) return false;
  const target = event.target as { getAttribute?: (name: string) => string | null } | null;
  return target?.getAttribute?.('data-mantine-stop-propagation') !== 'true';
}
