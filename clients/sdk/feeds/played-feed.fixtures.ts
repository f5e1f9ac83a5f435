import { FeedConnection, type FeedSeams, type Socket } from './feed-connection.ts';

/** For tests: sockets and timers that the test moves by hand. */
export function played(more: Partial<FeedSeams> = {}) {
  const sockets: (Socket & { readonly said: Record<string, unknown>[] })[] = [];
  const timers: { run: () => void; ms: number; ended: boolean }[] = [];
  const connection = new FeedConnection({
    open: () => {
      const said: Record<string, unknown>[] = [];
      const socket = {
        said,
        onopen: null,
        onclose: null,
        onerror: null,
        onmessage: null,
        send: (text: string) => void said.push(JSON.parse(text)),
        close: () => {},
      };
      sockets.push(socket);
      return socket;
    },
    ...more,
    now: () => 5_000,
    later: (run, ms) => {
      const timer = { run, ms, ended: false };
      timers.push(timer);
      return () => {
        timer.ended = true;
      };
    },
  });
  const fire = () => {
    const timer = timers.filter(({ ended }) => !ended).at(-1);
    if (timer === undefined) throw new Error('no timer waits');
    timer.ended = true;
    timer.run();
  };
  return { connection, sockets, timers, fire };
}

export function receive(socket: Socket | undefined, message: object): void {
  socket?.onmessage?.({ data: JSON.stringify(message) });
}
