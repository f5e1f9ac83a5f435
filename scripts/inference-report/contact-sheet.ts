import path from 'node:path';
import sharp from 'sharp';
import { type PhotoReport, type ReadablePhoto, rejectionOf } from './photo-report.ts';
import { THUMBNAIL, thumbnailScale } from './thumbnail.ts';

const COLUMNS = 3;
const CELL_WIDTH = THUMBNAIL.width;
const MARGIN = 10;
const LINE_HEIGHT = 20;
const FONT_SIZE = 13;
const LABEL_FONT_SIZE = 15;
/** A sheet of more photographs would be too long to look at. */
const PHOTOS_PER_SHEET = 24;
const CAPTION_LINES_MAX = 40;
const STORED = '#1db954';
const REJECTED = '#ff3b30';
const PAPER = { r: 24, g: 24, b: 24 };

interface Cell {
  readonly picture: Buffer;
  readonly height: number;
}

/** Draws the photographs with their faces; one PNG for each two dozen of them. Answers the files' names. */
export async function writeContactSheets(reports: readonly PhotoReport[], out: string): Promise<string[]> {
  const files: string[] = [];
  for (let first = 0; first < reports.length; first += PHOTOS_PER_SHEET) {
    const { dir, name, ext } = path.parse(out);
    const number = first / PHOTOS_PER_SHEET + 1;
    const file = number === 1 ? out : path.join(dir, `${name}-${number}${ext}`);
    const cells = await Promise.all(reports.slice(first, first + PHOTOS_PER_SHEET).map(drawCell));
    await writeSheet(cells, file);
    files.push(file);
  }
  return files;
}

async function writeSheet(cells: readonly Cell[], file: string): Promise<void> {
  const placed: { input: Buffer; left: number; top: number }[] = [];
  let top = MARGIN;
  for (let first = 0; first < cells.length; first += COLUMNS) {
    const row = cells.slice(first, first + COLUMNS);
    for (const [column, { picture }] of row.entries())
      placed.push({ input: picture, left: MARGIN + column * (CELL_WIDTH + MARGIN), top });
    top += Math.max(...row.map(({ height }) => height)) + MARGIN;
  }
  const width = MARGIN + Math.min(COLUMNS, cells.length) * (CELL_WIDTH + MARGIN);
  await sharp({ create: { width, height: top, channels: 3, background: PAPER } })
    .composite(placed)
    .png()
    .toFile(file);
}

async function drawCell(report: PhotoReport): Promise<Cell> {
  const caption = captionOf(report).slice(0, CAPTION_LINES_MAX);
  const photo = 'error' in report ? null : await drawPhoto(report);
  const photoHeight = photo?.height ?? 0;
  const height = photoHeight + caption.length * LINE_HEIGHT + MARGIN;
  const text = caption
    .map(({ line, color }, i) => {
      const y = photoHeight + (i + 1) * LINE_HEIGHT;
      return `<text x="4" y="${y}" fill="${color}" font-size="${FONT_SIZE}" font-family="sans-serif">${escaped(line)}</text>`;
    })
    .join('');
  const layers = [{ input: Buffer.from(svg(CELL_WIDTH, height, text)), left: 0, top: 0 }];
  if (photo !== null)
    layers.unshift({ input: photo.picture, left: Math.floor((CELL_WIDTH - photo.width) / 2), top: 0 });
  const picture = await sharp({ create: { width: CELL_WIDTH, height, channels: 3, background: PAPER } })
    .composite(layers)
    .png()
    .toBuffer();
  return { picture, height };
}

/** The thumbnail with a numbered box around each face. */
async function drawPhoto(photo: ReadablePhoto) {
  const scale = thumbnailScale(photo);
  const boxes = photo.faces.map((face, i) => {
    const [x1, y1, x2, y2] = face.bbox.map((value) => value * scale) as [number, number, number, number];
    const color = rejectionOf(face) === null ? STORED : REJECTED;
    const label = String(i + 1);
    const labelWidth = 6 + label.length * 9;
    const labelY = y1 >= 18 ? y1 - 18 : y1;
    const points = face.landmarks
      .map(([x, y]) => `<circle cx="${x * scale}" cy="${y * scale}" r="1.5" fill="${color}"/>`)
      .join('');
    return `<rect x="${x1}" y="${y1}" width="${x2 - x1}" height="${y2 - y1}" fill="none" stroke="${color}" stroke-width="2"/>
      <rect x="${x1 - 1}" y="${labelY}" width="${labelWidth}" height="18" fill="${color}"/>
      <text x="${x1 + 2}" y="${labelY + 14}" fill="#fff" font-size="${LABEL_FONT_SIZE}" font-weight="bold" font-family="sans-serif">${label}</text>
      ${points}`;
  });
  const { width, height } = await sharp(photo.thumbnail).metadata();
  const picture = await sharp(photo.thumbnail)
    .composite([{ input: Buffer.from(svg(width, height, boxes.join(''))) }])
    .png()
    .toBuffer();
  return { picture, width, height };
}

function captionOf(report: PhotoReport): { line: string; color: string }[] {
  const file = path.basename(report.file);
  if ('error' in report)
    return [
      { line: file, color: '#fff' },
      { line: `error: ${report.error}`, color: REJECTED },
    ];
  const { width, height } = report;
  const count = report.faces.length === 1 ? '1 face' : `${report.faces.length} faces`;
  return [
    { line: `${file}  ${width}×${height}  ${count}`, color: '#fff' },
    ...report.faces.map((face, i) => {
      const { blur, yaw, pitch, face_size } = face.quality;
      const reason = rejectionOf(face);
      return {
        line: `${i + 1}  ${reason ?? 'stored'}  (blur ${blur}, yaw ${yaw}°, pitch ${pitch}°, ${face_size} px)`,
        color: reason === null ? STORED : REJECTED,
      };
    }),
  ];
}

function svg(width: number, height: number, content: string): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">${content}</svg>`;
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
