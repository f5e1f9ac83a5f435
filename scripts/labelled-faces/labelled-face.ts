/** A face of a photograph, of which a person has said whose it is. */
export interface LabelledFace {
  /** Path of the photograph. */
  readonly photo: string;
  /** A point within the face, in pixels of the upright photograph; null for its largest face. */
  readonly at: readonly [number, number] | null;
  readonly person: string;
  /** As the labels have it; empty where they say nothing. */
  readonly group: string;
  /** Names tell people apart within one set. Two people of different sets may be the same one. */
  readonly set: string;
}
