/** A page that nobody has touched for so long only reads by itself: that does not keep a session from its idle end. */
const ATTENDED_MS = 120_000;

let lastTouched = Date.now();

/** Whether nobody is there: what the page reads then is marked as its own doing. */
export function isUnattended(now = Date.now()): boolean {
  return now - lastTouched > ATTENDED_MS;
}

export function watchAttendance(target: EventTarget): void {
  for (const type of ['pointerdown', 'keydown', 'wheel', 'touchstart']) {
    target.addEventListener(
      type,
      () => {
        lastTouched = Date.now();
      },
      { passive: true, capture: true },
    );
  }
}
