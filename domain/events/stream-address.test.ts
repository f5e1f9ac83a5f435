import { expect, it } from 'vitest';
import { withoutCredentials } from './stream-address.ts';

it.each([
  ['rtsp://admin:se@cret@10.0.0.7:554/door', 'rtsp://***@10.0.0.7:554/door'],
  ['rtsp://admin@10.0.0.7/door', 'rtsp://***@10.0.0.7/door'],
  ['https://cam.example/door.m3u8?user=a&pwd=b#x', 'https://cam.example/door.m3u8?user=***&pwd=***#x'],
  ['file:///recordings/door@1.mp4', 'file:///recordings/door@1.mp4'],
])('%s is shown as %s', (source, shown) => {
  expect(withoutCredentials(source)).toBe(shown);
});
