import Foundation
func reference(_ s: String, _ o: Int) -> String {
  if o == 0 { return s }
  var m: String.CompareOptions = []
  if o & 1 != 0 { m.insert(.caseInsensitive) }
  if o & 2 != 0 { m.insert(.diacriticInsensitive) }
  if o & 4 != 0 { m.insert(.widthInsensitive) }
  return s.folding(options: m, locale: nil).precomposedStringWithCanonicalMapping
}
func hex(_ s: String) -> String { s.unicodeScalars.map { String($0.value, radix: 16) }.joined(separator: " ") }
let around = ["", "e", "E", "é", "e\u{301}", "\u{1112}\u{1161}", "か", "İ", "ß", "ς", "ﾊ", "\u{915}", "\u{1F1E6}"]
var bad = 0, count = 0, dependent = 0
for o in 1...7 {
  let f = ScalarFolding.of(.init(rawValue: o))
  let folded = around.map { reference($0, o) }
  for v in UInt32(0x80)..<0x30000 {
    guard let c = Unicode.Scalar(v) else { continue }
    if v > 0x20000, v % 37 != 0 { continue }
    if (0x4E00..<0x9F00).contains(v) || (0xAC00..<0xD700).contains(v), v % 11 != 0 { continue }
    let e = f.entry(v)
    if e == 0 { dependent += 1; continue }
    count += 1
    let own = (0..<ScalarFolding.count(e)).map { UInt8(truncatingIfNeeded: e >> (8 * $0)) }
    let k = Int(v) % around.count
    for i in around.indices where i == k || v < 0x600 || (0x1E00..<0x2000).contains(v) {
      let j = (i + Int(v)) % around.count
      let text = around[i] + String(c) + "x" + around[j] + String(c)
      let want = Array(folded[i].utf8) + own + [0x78] + Array(folded[j].utf8) + own
      let got = Array(reference(text, o).utf8)
      if want != got { bad += 1; if bad < 40 { print("options", o, hex(text), "got", hex(String(decoding: got, as: UTF8.self)), "want", hex(String(decoding: want, as: UTF8.self))) } }
    }
  }
}
print(count, "dependent", dependent, "bad", bad)
struct G: RandomNumberGenerator { var s: UInt64; mutating func next() -> UInt64 { s &+= 0x9E37_79B9_7F4A_7C15; var z = s; z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9; z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB; return z ^ (z >> 31) } }
var g = G(s: UInt64(CommandLine.arguments.dropFirst().first ?? "1")!)
let pool = ["a", "E", "I", "i", "s", "S", "ss", "ß", "ẞ", "İ", "ı", "ς", "Σ", "σ", "é", "É", "e\u{301}", "\u{301}", "\u{308}", "\u{323}", "\u{302}", "ệ", "Ệ", "ﬁ", "ﬀ", "\u{1F88}", "ΐ", "\u{345}", "\u{1100}", "\u{1161}", "\u{11A8}", "가", "각", "힣", "か", "が", "\u{3099}", "ｶ", "ﾞ", "Ａ", "Å", "K", "Ω", "👩‍👩‍👧", "👍🏽", "❤️", "\u{200D}", "\u{FE0F}", "🇩🇪", "\0", " ", "\n", "\r\n", "中", "א", "\u{5B0}", "ا", "\u{653}", "क", "\u{93C}", "\u{947}", "ก", "\u{0E33}", "\u{FFFD}", "\u{85}", "ŉ", "ǰ", "Ǆ", "ǅ", "ⅷ", "Ⓐ", "𐐀", "\u{10FFFF}", "Й", "и\u{306}", "ё", "Ё", "1", "9", "-", "z", "Z", "\u{E000}", "\u{340}", "\u{344}", "\u{F900}", "\u{1D15E}"]
@MainActor func text() -> String { (0..<Int.random(in: 0...9, using: &g)).map { _ in pool.randomElement(using: &g)! }.joined() }
bad = 0
let n = Int(CommandLine.arguments.dropFirst(2).first ?? "100000")!
for k in 0..<n {
  let o = k % 7 + 1
  let a = text()
  let want = reference(a, o), got = StringFolding.fold(a, .init(rawValue: o))
  if Array(want.utf8) != Array(got.utf8) { bad += 1; if bad < 20 { print("fold", o, hex(a), "got", hex(got), "want", hex(want)) } }
  var b = Bool.random(using: &g) ? text() : a
  if Bool.random(using: &g) { b = [a.uppercased(), a.lowercased(), a.decomposedStringWithCanonicalMapping, a + text(), text() + a].randomElement(using: &g)! }
  let wb = reference(b, o)
  let w: ComparisonResult = want.utf8.elementsEqual(wb.utf8) ? .orderedSame : want.utf8.lexicographicallyPrecedes(wb.utf8) ? .orderedAscending : .orderedDescending
  if FoldedOrder.order(a, b, .init(rawValue: o)) != w { bad += 1; if bad < 20 { print("order", o, hex(a), "|", hex(b)) } }
}
print("random bad", bad)
func time(_ l: String, _ body: () -> Void) { let t = clock(); body(); print(l, Double(clock() - t) * 1000 / 1e6 * 1e3 / 100000, "ns") }
for s in ["Mueller Juergen 123456", "Müller Jürgen 123456", "Mu\u{308}ller Ju\u{308}rgen 123456", "日本語のテキストです"] {
  var s = s
  var u = s.uppercased()
  time("fold \(s)") { for _ in 0..<100000 { s.withUTF8 { StringFolding.withFolded($0, [.caseInsensitive, .diacriticInsensitive]) { x in if x.isEmpty { print() } } } } }
  time("fold string \(s)") { for _ in 0..<100000 { if StringFolding.fold(u, [.caseInsensitive, .diacriticInsensitive] as StringFolding.Options).isEmpty { print() } } }
  time("order upper \(s)") { for _ in 0..<100000 { if FoldedOrder.order(s, u, [.caseInsensitive]) == .orderedAscending { print() } } }
  s.withUTF8 { s in u.withUTF8 { u in time("order bytes \(s)") { for _ in 0..<100000 { if FoldedOrder.order(s, u, [.caseInsensitive]) == .orderedAscending { print() } } } } }
}
