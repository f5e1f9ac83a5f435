;; Compares a query with the packed codes of vectors that lie in blocks (pack-codes.ts), and tells those that may come up to `cut`.
;; Compiled to scan.wasm by scripts/build-scan-kernel.ts.
;;
;; A block is, for n vectors of u units: n × u × 112 bytes of codes, then n scales as float32. A unit of 128 components is seven rows of
;; 16 signed bytes; the eighth row's codes are the bytes whose bit k is the lowest bit of row k. The query is, for each unit, 8 × 16
;; signed 16-bit codes. With s = query scale × (dot product − bias), a vector's cosine lies within
;;   scale × (s − rounding) − slack … scale × (s + rounding) + slack.
;; Written to `out` for each vector whose upper bound reaches `cut`: its number (u32), upper and lower bound (float32).
(module
  (memory (export "memory") 1)

  (func (export "scan")
    (param $block i32) (param $blocks i32) (param $stride i32) (param $n i32) (param $units i32) (param $number i32)
    (param $query i32) (param $query_scale f32) (param $bias i32) (param $rounding f32) (param $slack f32)
    (param $cut f32) (param $out i32)
    (result i32)
    (local $end i32) (local $p i32) (local $q i32) (local $codes_end i32) (local $code_end i32) (local $width i32)
    (local $scale_at i32) (local $in_block i32) (local $found i32) (local $s f32) (local $scale f32) (local $upper f32)
    (local $a v128) (local $b v128) (local $e v128) (local $x v128) (local $ones v128)

    (local.set $ones (i8x16.splat (i32.const 1)))
    (local.set $found (local.get $out))
    (local.set $width (i32.mul (local.get $units) (i32.const 112)))
    (local.set $end (i32.add (local.get $block) (i32.mul (local.get $blocks) (local.get $stride))))
    (block $done (loop $each_block
      (br_if $done (i32.ge_u (local.get $block) (local.get $end)))
      (local.set $p (local.get $block))
      (local.set $codes_end (i32.add (local.get $block) (i32.mul (local.get $n) (local.get $width))))
      (local.set $scale_at (local.get $codes_end))
      (local.set $in_block (local.get $number))
      (loop $each_vector
        (local.set $a (v128.const i32x4 0 0 0 0))
        (local.set $b (v128.const i32x4 0 0 0 0))
        (local.set $q (local.get $query))
        (local.set $code_end (i32.add (local.get $p) (local.get $width)))
        (loop $each_unit
          (local.set $x (v128.load offset=0 (local.get $p)))
          (local.set $e (v128.and (local.get $x) (local.get $ones)))
          (local.set $a (i32x4.add (local.get $a)
            (i32x4.dot_i16x8_s (i16x8.extend_low_i8x16_s (local.get $x)) (v128.load offset=0 (local.get $q)))))
          (local.set $b (i32x4.add (local.get $b)
            (i32x4.dot_i16x8_s (i16x8.extend_high_i8x16_s (local.get $x)) (v128.load offset=16 (local.get $q)))))

          (local.set $x (v128.load offset=16 (local.get $p)))
          (local.set $e (v128.or (local.get $e) (i64x2.shl (v128.and (local.get $x) (local.get $ones)) (i32.const 1))))
          (local.set $a (i32x4.add (local.get $a)
            (i32x4.dot_i16x8_s (i16x8.extend_low_i8x16_s (local.get $x)) (v128.load offset=32 (local.get $q)))))
          (local.set $b (i32x4.add (local.get $b)
            (i32x4.dot_i16x8_s (i16x8.extend_high_i8x16_s (local.get $x)) (v128.load offset=48 (local.get $q)))))

          (local.set $x (v128.load offset=32 (local.get $p)))
          (local.set $e (v128.or (local.get $e) (i64x2.shl (v128.and (local.get $x) (local.get $ones)) (i32.const 2))))
          (local.set $a (i32x4.add (local.get $a)
            (i32x4.dot_i16x8_s (i16x8.extend_low_i8x16_s (local.get $x)) (v128.load offset=64 (local.get $q)))))
          (local.set $b (i32x4.add (local.get $b)
            (i32x4.dot_i16x8_s (i16x8.extend_high_i8x16_s (local.get $x)) (v128.load offset=80 (local.get $q)))))

          (local.set $x (v128.load offset=48 (local.get $p)))
          (local.set $e (v128.or (local.get $e) (i64x2.shl (v128.and (local.get $x) (local.get $ones)) (i32.const 3))))
          (local.set $a (i32x4.add (local.get $a)
            (i32x4.dot_i16x8_s (i16x8.extend_low_i8x16_s (local.get $x)) (v128.load offset=96 (local.get $q)))))
          (local.set $b (i32x4.add (local.get $b)
            (i32x4.dot_i16x8_s (i16x8.extend_high_i8x16_s (local.get $x)) (v128.load offset=112 (local.get $q)))))

          (local.set $x (v128.load offset=64 (local.get $p)))
          (local.set $e (v128.or (local.get $e) (i64x2.shl (v128.and (local.get $x) (local.get $ones)) (i32.const 4))))
          (local.set $a (i32x4.add (local.get $a)
            (i32x4.dot_i16x8_s (i16x8.extend_low_i8x16_s (local.get $x)) (v128.load offset=128 (local.get $q)))))
          (local.set $b (i32x4.add (local.get $b)
            (i32x4.dot_i16x8_s (i16x8.extend_high_i8x16_s (local.get $x)) (v128.load offset=144 (local.get $q)))))

          (local.set $x (v128.load offset=80 (local.get $p)))
          (local.set $e (v128.or (local.get $e) (i64x2.shl (v128.and (local.get $x) (local.get $ones)) (i32.const 5))))
          (local.set $a (i32x4.add (local.get $a)
            (i32x4.dot_i16x8_s (i16x8.extend_low_i8x16_s (local.get $x)) (v128.load offset=160 (local.get $q)))))
          (local.set $b (i32x4.add (local.get $b)
            (i32x4.dot_i16x8_s (i16x8.extend_high_i8x16_s (local.get $x)) (v128.load offset=176 (local.get $q)))))

          (local.set $x (v128.load offset=96 (local.get $p)))
          (local.set $e (v128.or (local.get $e) (i64x2.shl (v128.and (local.get $x) (local.get $ones)) (i32.const 6))))
          (local.set $a (i32x4.add (local.get $a)
            (i32x4.dot_i16x8_s (i16x8.extend_low_i8x16_s (local.get $x)) (v128.load offset=192 (local.get $q)))))
          (local.set $b (i32x4.add (local.get $b)
            (i32x4.dot_i16x8_s (i16x8.extend_high_i8x16_s (local.get $x)) (v128.load offset=208 (local.get $q)))))

          (local.set $a (i32x4.add (local.get $a)
            (i32x4.dot_i16x8_s (i16x8.extend_low_i8x16_s (local.get $e)) (v128.load offset=224 (local.get $q)))))
          (local.set $b (i32x4.add (local.get $b)
            (i32x4.dot_i16x8_s (i16x8.extend_high_i8x16_s (local.get $e)) (v128.load offset=240 (local.get $q)))))
          (local.set $q (i32.add (local.get $q) (i32.const 256)))
          (br_if $each_unit (i32.lt_u
            (local.tee $p (i32.add (local.get $p) (i32.const 112)))
            (local.get $code_end))))

        (local.set $a (i32x4.add (local.get $a) (local.get $b)))
        (local.set $a (i32x4.add (local.get $a)
          (i8x16.shuffle 8 9 10 11 12 13 14 15 0 1 2 3 4 5 6 7 (local.get $a) (local.get $a))))
        (local.set $s (f32.mul (local.get $query_scale) (f32.convert_i32_s (i32.sub
          (i32.add (i32x4.extract_lane 0 (local.get $a)) (i32x4.extract_lane 1 (local.get $a)))
          (local.get $bias)))))
        (local.set $scale (f32.load (local.get $scale_at)))
        (local.set $upper (f32.add (local.get $slack)
          (f32.mul (local.get $scale) (f32.add (local.get $s) (local.get $rounding)))))
        (if (f32.ge (local.get $upper) (local.get $cut)) (then
          (i32.store (local.get $found) (local.get $in_block))
          (f32.store offset=4 (local.get $found) (local.get $upper))
          (f32.store offset=8 (local.get $found) (f32.sub
            (f32.mul (local.get $scale) (f32.sub (local.get $s) (local.get $rounding)))
            (local.get $slack)))
          (local.set $found (i32.add (local.get $found) (i32.const 12)))))

        (local.set $in_block (i32.add (local.get $in_block) (i32.const 1)))
        (local.set $scale_at (i32.add (local.get $scale_at) (i32.const 4)))
        (br_if $each_vector (i32.lt_u (local.get $p) (local.get $codes_end))))
      (local.set $number (i32.add (local.get $number) (local.get $n)))
      (local.set $block (i32.add (local.get $block) (local.get $stride)))
      (br $each_block)))
    (i32.div_u (i32.sub (local.get $found) (local.get $out)) (i32.const 12))))
