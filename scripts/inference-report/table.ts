import path from 'node:path';
import { type PhotoReport, rejectionOf } from './photo-report.ts';

const HEADINGS = ['file', 'faces', 'face', 'bbox', 'confidence', 'blur', 'yaw', 'pitch', 'size', 'outcome'] as const;
const COLUMN_GAP = '  ';

/** One line a face, in columns; a photograph without one has a line of its own. */
export function reportTable(reports: readonly PhotoReport[]): string {
  const rows = [HEADINGS as readonly string[], ...reports.flatMap(rowsOf)];
  const widths = HEADINGS.map((_, column) => Math.max(...rows.map((row) => row[column]!.length)));
  return rows
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column]!))
        .join(COLUMN_GAP)
        .trimEnd(),
    )
    .join('\n');
}

function rowsOf(report: PhotoReport): string[][] {
  const file = path.basename(report.file);
  const blank = HEADINGS.slice(2, -1).map(() => '');
  if ('error' in report) return [[file, '-', ...blank, `error: ${report.error}`]];
  if (report.faces.length === 0) return [[file, '0', ...blank, 'no face']];
  return report.faces.map((face, i) => {
    const { blur, yaw, pitch, face_size } = face.quality;
    return [
      file,
      String(report.faces.length),
      `#${i + 1}`,
      face.bbox.join(','),
      face.confidence.toFixed(4),
      blur.toFixed(3),
      yaw.toFixed(1),
      pitch.toFixed(1),
      String(face_size),
      rejectionOf(face) ?? 'stored',
    ];
  });
}
