/** Runs in a page before its own scripts: keeps in `seen` what the page's figures come from. */
globalThis.seen = { lcp: 0, tasks: [], inputs: [], frames: [] };

const observe = (type, take, more) =>
  new PerformanceObserver((list) => list.getEntries().forEach(take)).observe({ type, buffered: true, ...more });

observe('largest-contentful-paint', ({ startTime }) => {
  globalThis.seen.lcp = startTime;
});
observe('longtask', ({ startTime, duration }) => globalThis.seen.tasks.push({ start: startTime, duration }));
const input = ({ interactionId, duration }) => {
  if (interactionId > 0) globalThis.seen.inputs.push(duration);
};
observe('event', input, { durationThreshold: 16 });

/** From now on alone, with the time between frames. */
globalThis.seeAnew = () => {
  Object.assign(globalThis.seen, { tasks: [], inputs: [], frames: [] });
  let last = performance.now();
  const frame = (now) => {
    globalThis.seen.frames.push(now - last);
    last = now;
    requestAnimationFrame(frame);
  };
  requestAnimationFrame(frame);
};

/** Milliseconds since the last task of over 50 ms. */
globalThis.quietFor = () => {
  const last = globalThis.seen.tasks.at(-1);
  return performance.now() - (last === undefined ? 0 : last.start + last.duration);
};

globalThis.loaded = () => performance.getEntriesByType('navigation')[0].domContentLoadedEventEnd;
