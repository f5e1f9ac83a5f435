import type { Box, FaceQuality } from '../../../../domain/faces/face-quality.ts';
import type { InferenceErrorCode, WeaponDetection } from '../../../../protocol/inference/wire.ts';

/** A face that a test image shows. */
export interface ShownFace {
  /** The same person looks the same in every image. */
  readonly person: string;
  readonly bbox: Box;
  readonly confidence?: number;
  /** A good one where left out. */
  readonly quality?: Partial<FaceQuality>;
  /** 0..1: how little the person resembles themselves here. */
  readonly unlike?: number;
}

/** An image for the inference stand-in (test/node/fixtures): it says what it shows, and what is to go wrong with it. */
export interface TestImage {
  /** One of its own for each image, unless given. */
  readonly id: string;
  readonly faces: readonly ShownFace[];
  readonly weapons?: readonly WeaponDetection[];
  readonly delay_ms?: number;
  /** It is answered once the stand-in is told to let it go. */
  readonly isHeld?: boolean;
  /** On the first `times` requests; on all when left out. */
  readonly fault?:
    | { readonly kind: 'code'; readonly code: InferenceErrorCode; readonly details?: object; readonly times?: number }
    /** The process dies while it answers. */
    | { readonly kind: 'killed'; readonly times?: number };
}

const PNG = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];

/** An image as a file; `Date.now()` and the like never enter, so the same terms with the same id are the same bytes. */
export function imageOf(image: Partial<TestImage>): File {
  const whole: TestImage = { id: crypto.randomUUID(), faces: [], ...image };
  const bytes = new Uint8Array([...PNG, ...new TextEncoder().encode(JSON.stringify(whole))]);
  return new File([bytes], 'photo.png', { type: 'image/png' });
}

/** A good face of a person, the nth from the left. */
export function faceOf(person: string, at = 0, terms: Partial<ShownFace> = {}): ShownFace {
  return { person, bbox: [10 + at * 150, 20, 130 + at * 150, 140], ...terms };
}
