import type { FaceQuality } from '../../../../domain/faces/face-quality.ts';

/**
 * Looks at turned views for one photograph, in whatever position it is examined: about 20 s of one core, of the minute that a caller waits. A face costs
 * one to eight a turn.
 */
const LOOKS_MAX = 300;
/** Of a picture, so many poor faces of this many pixels are turned to see whether they are good upright. */
const POOR_TURNED_MAX = 4;
const TURNED_SIZE_MIN = 80;
/** Once so many faces of a picture stand upright, and none is turned, one look at each of the others is enough: a crowd must not take minutes. */
const STANDING_MIN = 8;

/** What one photograph may cost in looks, whatever it shows. */
export class LookBudget {
  #left = LOOKS_MAX;

  get isSpent(): boolean {
    return this.#left <= 0;
  }

  spend(): void {
    this.#left -= 1;
  }
}

/** How the faces of a picture in one position have turned out to stand, and which of the others are worth turning. */
export class TurnedLooks {
  readonly budget: LookBudget;
  #poorLeft = POOR_TURNED_MAX;
  #standing = 0;
  #turned = 0;

  constructor(budget: LookBudget) {
    this.budget = budget;
  }

  /** Whether everybody seems to stand. */
  get isStanding(): boolean {
    return this.#standing >= STANDING_MIN && this.#turned === 0;
  }

  /** Whether a poor face is to be turned, which counts. What is cut off stays so in every position. */
  takesPoor({ face_size, misaligned }: FaceQuality): boolean {
    if (this.budget.isSpent || face_size < TURNED_SIZE_MIN || misaligned === 'cut_off') return false;
    return this.#poorLeft-- > 0;
  }

  /** @param turn what became of a face: it stood, was turned, or is upright nowhere */
  record(turn: 'stood' | 'turned' | 'nowhere'): void {
    if (turn === 'stood') this.#standing += 1;
    if (turn === 'turned') this.#turned += 1;
  }
}
