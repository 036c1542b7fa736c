import CSQLite
import Foundation
struct Gen { var s: UInt64; mutating func next() -> UInt64 { s = s &* 6364136223846793005 &+ 1442695040888963407; return s >> 17 } 
 mutating func pick(_ a: [String]) -> String { a[Int(next() % UInt64(a.count))] } }
func names(_ n: Int, _ umlauts: Bool) -> [String] {
  var g = Gen(s: 42)
  let first = umlauts ? ["Jürgen", "Jörg", "Änne", "Özlem", "Günther", "Zoë", "Andre", "Björn", "Käthe"] : ["Juergen", "Joerg", "Aenne", "Oezlem", "Guenther", "Zoe", "Andre", "Bjoern", "Kaethe"]
  let last = umlauts ? ["Müller", "Schäfer", "Weiß", "Köhler", "Groß", "König", "Fuchs", "Krüger"] : ["Mueller", "Schaefer", "Weiss", "Koehler", "Gross", "Koenig", "Fuchs", "Krueger"]
  return (0..<n).map { _ in "\(g.pick(last)) \(g.pick(first)) \(g.next() % 1000000)" }
}
func cpu() -> Double { var t = timespec(); clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t); return Double(t.tv_sec) * 1e6 + Double(t.tv_nsec) / 1e3 }
typealias B = UnsafeBufferPointer<UInt8>
// as at 569b0a46
func oldASCII(_ string: String, _ lower: Bool) -> String? {
  var up = false
  for b in string.utf8 { guard b < 0x80 else { return nil }; if b >= 0x41, b <= 0x5A { up = true } }
  guard lower, up else { return string }
  let count = string.utf8.count
  return String(unsafeUninitializedCapacity: count) { buffer in var i = 0; for b in string.utf8 { buffer[i] = b >= 0x41 && b <= 0x5A ? b | 0x20 : b; i += 1 }; return i }
}
func oldFold(_ s: String, _ o: StringFolding.Options) -> String { oldASCII(s, o.contains(.caseInsensitive)) ?? StringFolding.foldGenerally(s, o) }
func oldOrder(_ a: B, _ b: B) -> ComparisonResult {
  if a.allSatisfy({ $0 < 0x80 }), b.allSatisfy({ $0 < 0x80 }) {
    for i in 0..<min(a.count, b.count) { var (x, y) = (a[i], b[i]); if x >= 0x41, x <= 0x5A { x |= 0x20 }; if y >= 0x41, y <= 0x5A { y |= 0x20 }; if x != y { return x < y ? .orderedAscending : .orderedDescending } }
    return a.count == b.count ? .orderedSame : a.count < b.count ? .orderedAscending : .orderedDescending
  }
  return StringBytes.order(oldFold(String(decoding: a, as: UTF8.self), .caseInsensitive), oldFold(String(decoding: b, as: UTF8.self), .caseInsensitive))
}
func test(_ t: Int, _ s: B, _ p: B) -> Bool {
  switch t { case 0: return s.count == p.count && memcmp(s.baseAddress!, p.baseAddress!, p.count) == 0
  case 1: guard let first = p.first, s.count >= p.count else { return false }
    for start in 0...(s.count - p.count) where s[start] == first { if memcmp(s.baseAddress! + start, p.baseAddress!, p.count) == 0 { return true } }
    return false
  default: return s.count >= p.count && memcmp(s.baseAddress!, p.baseAddress!, p.count) == 0 } }
func oldSearch(_ t: Int, _ s: B, _ p: B, _ o: StringFolding.Options) -> Bool {
  guard s.allSatisfy({ $0 < 0x80 }) else { var f = oldFold(String(decoding: s, as: UTF8.self), o); return f.withUTF8 { test(t, $0, p) } }
  return withUnsafeTemporaryAllocation(of: UInt8.self, capacity: max(1, s.count)) { b in
    for (i, x) in s.enumerated() { b.initializeElement(at: i, to: x >= 0x41 && x <= 0x5A ? x | 0x20 : x) }
    return test(t, B(rebasing: b[..<s.count]), p) }
}
func text(_ v: OpaquePointer?) -> B { B(start: sqlite3_value_text(v), count: Int(sqlite3_value_bytes(v))) }
let args = CommandLine.arguments
let n = Int(args[1])!, u = args[2] == "u", only = args.count > 3 ? args[3] : ""
var db: OpaquePointer?
sqlite3_open(":memory:", &db)
sqlite3_create_collation_v2(db, "old", SQLITE_UTF8, nil, { _, ac, a, bc, b in Int32(oldOrder(UnsafeRawBufferPointer(start: a, count: Int(ac)).assumingMemoryBound(to: UInt8.self), UnsafeRawBufferPointer(start: b, count: Int(bc)).assumingMemoryBound(to: UInt8.self)).rawValue) }, nil)
sqlite3_create_collation_v2(db, "new", SQLITE_UTF8, nil, { _, ac, a, bc, b in Int32(FoldedOrder.order(UnsafeRawBufferPointer(start: a, count: Int(ac)).assumingMemoryBound(to: UInt8.self), UnsafeRawBufferPointer(start: b, count: Int(bc)).assumingMemoryBound(to: UInt8.self), .caseInsensitive).rawValue) }, nil)
sqlite3_create_function_v2(db, "oldf", 4, SQLITE_UTF8 | SQLITE_DETERMINISTIC, nil, { c, _, v in
  let v = v!; sqlite3_result_int(c, oldSearch(Int(sqlite3_value_int(v[3])), text(v[0]), text(v[1]), .init(rawValue: Int(sqlite3_value_int(v[2])))) ? 1 : 0) }, nil, nil, nil)
sqlite3_create_function_v2(db, "newf", 4, SQLITE_UTF8 | SQLITE_DETERMINISTIC, nil, { c, _, v in
  let v = v!; let p = text(v[1]), t = Int(sqlite3_value_int(v[3]))
  sqlite3_result_int(c, StringFolding.withFolded(text(v[0]), .init(rawValue: Int(sqlite3_value_int(v[2])))) { s in
    switch t { case 0: return s.count == p.count && ByteSearch.has(p, s, at: 0)
    case 1: return ByteSearch.place(of: p, in: s, 0..<s.count) != nil
    default: return s.count >= p.count && ByteSearch.has(p, s, at: 0) } } ? 1 : 0) }, nil, nil, nil)
sqlite3_exec(db, "CREATE TABLE t (pk INTEGER PRIMARY KEY, name TEXT); BEGIN", nil, nil, nil)
var st: OpaquePointer?
sqlite3_prepare_v2(db, "INSERT INTO t (name) VALUES (?)", -1, &st, nil)
for x in names(n, u) { sqlite3_bind_text(st, 1, x, -1, unsafeBitCast(-1, to: sqlite3_destructor_type.self)); sqlite3_step(st); sqlite3_reset(st) }
sqlite3_exec(db, "COMMIT", nil, nil, nil)
func run(_ label: String, _ sql: String) {
  if !only.isEmpty, only != label { return }
  var best = Double.infinity; var sum: Int64 = 0
  for _ in 0..<(only.isEmpty ? 4 : 1) {
    let t = cpu(); sum = 0
    var s: OpaquePointer?; sqlite3_prepare_v2(db, sql, -1, &s, nil)
    while sqlite3_step(s) == SQLITE_ROW { sum = sum &* 31 &+ sqlite3_column_int64(s, 0) }
    sqlite3_finalize(s)
    best = min(best, cpu() - t)
  }
  print(n, u ? "umlauts" : "ascii", label, String(format: "%.3f us", best / Double(n)), sum)
}
let p = u ? "muller" : "mueller"
run("nothing", "SELECT 1")
for f in ["old", "new"] {
  run("sort \(f)", "SELECT pk FROM t ORDER BY name COLLATE \(f)")
  run("contains \(f)", "SELECT count(*) FROM t WHERE \(f)f(name, '\(p)', 3, 1)")
  run("equals \(f)", "SELECT count(*) FROM t WHERE \(f)f(name, '\(p)', 3, 0)")
  run("begins \(f)", "SELECT count(*) FROM t WHERE \(f)f(name, '\(p)', 3, 2)")
}
run("like", "SELECT count(*) FROM t WHERE name LIKE '%\(p)%'")
