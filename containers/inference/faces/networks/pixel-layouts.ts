import type { PixelLayout } from '../../onnx/pixel-planes.ts';

/** Of the detector: -1..1. */
export const SIGNED_PIXELS: PixelLayout = { mean: [127.5, 127.5, 127.5], std: [127.5, 127.5, 127.5], order: 'rgb' };

/** Of the landmark and descriptor networks: less the mean of their training set, in parts of 255. */
export const CENTERED_PIXELS: PixelLayout = { mean: [122.782, 117.001, 104.298], std: [255, 255, 255], order: 'rgb' };

/** Of MobileFaceNet, as ArcFace was trained. */
export const ARCFACE_PIXELS: PixelLayout = { mean: [127.5, 127.5, 127.5], std: [128, 128, 128], order: 'rgb' };
