/** What a reader may leave unread before it counts as too slow. */
const UNREAD_BYTES_MAX = 1 << 20;

/**
 * A feed's messages as server-sent events (HTML Standard, 9.2). The stream ends with the socket, and the socket with the stream. It follows
 * one topic, so both end with that.
 */
export function eventStream(socket: WebSocket, subscribe: string): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  let ended = false;
  const end = (code: number, reason: string) => {
    if (ended) return;
    ended = true;
    socket.close(code, reason);
  };
  return new ReadableStream<Uint8Array>(
    {
      start(controller) {
        socket.accept();
        socket.addEventListener('message', ({ data }) => {
          if (ended) return;
          const text = String(data);
          const message = JSON.parse(text) as { type: string; id?: number; sequence?: number; more?: boolean };
          const { type, id, sequence } = message;
          if (type === 'ping') {
            socket.send(JSON.stringify({ type: 'pong', id }));
            return;
          }
          controller.enqueue(encoder.encode(eventText(type, message.more === true ? undefined : sequence, text)));
          if (type === 'unsubscribed') {
            end(1000, 'the topic has ended');
            controller.close();
            return;
          }
          if ((controller.desiredSize ?? 0) > 0) return;
          end(1013, 'too slow');
          controller.error(new Error('the reader is too slow'));
        });
        socket.addEventListener('close', () => {
          if (ended) return;
          ended = true;
          controller.close();
        });
        socket.send(subscribe);
      },
      cancel() {
        end(1000, 'the reader has gone');
      },
    },
    new ByteLengthQueuingStrategy({ highWaterMark: UNREAD_BYTES_MAX }),
  );
}

/** `subscribed`, `heartbeat` and a part of a snapshot that others follow carry no id: they are no place to go on from. @internal */
export function eventText(type: string, sequence: number | undefined, text: string): string {
  const isPlace = sequence !== undefined && type !== 'subscribed' && type !== 'heartbeat';
  return `${isPlace ? `id: ${sequence}\n` : ''}event: ${type}\ndata: ${text}\n\n`;
}
