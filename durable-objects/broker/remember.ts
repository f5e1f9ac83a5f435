/** Of too many the one that was used longest ago is forgotten. */
export function remember<V>(map: Map<string, V>, key: string, value: V, keysMax: number): void {
  map.delete(key);
  if (map.size >= keysMax) map.delete(map.keys().next().value ?? '');
  map.set(key, value);
}
