import { expect, test } from 'vitest';
import { onEscape } from './on-escape.ts';

function press(target: EventTarget, key = 'Escape', isComposing = false): void {
  target.dispatchEvent(Object.assign(new Event('keydown'), { key, isComposing }));
}

/** Dialogs that go when they are closed, as on a page. */
function dialogs(target: EventTarget) {
  const closed: string[] = [];
  const open = (name: string) => {
    const end = onEscape(() => {
      closed.push(name);
      end();
    }, target);
    return end;
  };
  return { closed, open };
}

test('Escape at the warning closes the warning, and not the dialog beneath it', () => {
  const target = new EventTarget();
  const { closed, open } = dialogs(target);
  open('pay');
  open('warning');
  press(target);
  expect(closed).toEqual(['warning']);
  press(target);
  expect(closed).toEqual(['warning', 'pay']);
  press(target);
  expect(closed).toEqual(['warning', 'pay']);
});

test('a dialog that was closed by its button takes no key from the one beneath', () => {
  const target = new EventTarget();
  const { closed, open } = dialogs(target);
  open('beneath');
  const endTop = open('top');
  endTop();
  press(target);
  expect(closed).toEqual(['beneath']);
});

test('another key, and one that ends a composed character, close nothing', () => {
  const target = new EventTarget();
  const { closed, open } = dialogs(target);
  const end = open('dialog');
  press(target, 'Enter');
  press(target, 'Escape', true);
  expect(closed).toEqual([]);
  end();
});
