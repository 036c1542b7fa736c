import Foundation
@testable import OpenCocoaFoundation
import class OpenCocoaFoundation.NSExpression
import class OpenCocoaFoundation.NSComparisonPredicate
import class OpenCocoaFoundation.NSCompoundPredicate

class Row: NSObject, NSKeyValueCoding {
  var values: [String: Any] = [:]
  func value(forKey key: String) -> Any? {
    if Row.keys.contains(key) { return values[key] }
    return value(forUndefinedKey: key)
  }
  static let keys: Set<String> = ["int16", "int32", "int64", "flag", "double", "float", "serial", "date", "passing", "text", "decimal", "data", "uuid", "uri", "extra", "parent", "tags"]
  func value(forUndefinedKey key: String) -> Any? {
    KeyValueCoding.valueForUndefinedKey(of: self, OCDEvaluationError("no \(key)", exception: .undefinedKey))
  }
}
final class Placed: Row, PlacedProperties {
  static func shapeNumber(of object: NSObject) -> Int64 { 1 }
  func propertyReader(forKey key: String) -> PropertyReader? {
    func v(_ o: NSObject) -> Any? { (o as! Placed).values[key] }
    switch key {
    case "int16", "int32", "int64", "serial": return .integer { o in ((o as! Placed).values[key] as? NSNumber).map { .integer($0.int64Value) } ?? .integer(0) }
    case "flag": return .integer { o in ((o as! Placed).values[key] as? NSNumber).map { .integer($0.boolValue ? 1 : 0) } ?? .null }
    case "double", "float": return .real { o in ((o as! Placed).values[key] as? NSNumber).map { .real($0.doubleValue) } ?? .null }
    case "date": return .date { o in ((o as! Placed).values[key] as? Date).map { .real($0.timeIntervalSinceReferenceDate) } ?? .null }
    case "text", "extra": return .text { o, body in
      if var t = (o as! Placed).values[key] as? String { t.withUTF8 { body(UnsafeRawBufferPointer($0)) } } else { body(nil) }
      return true }
    case "decimal", "data", "uuid": return .other { Operand(($0 as! Placed).values[key]) }
    default: return nil
    }
  }
}
let seed = UInt64(CommandLine.arguments.dropFirst().first ?? "") ?? 1
let cases = Int(CommandLine.arguments.dropFirst(2).first ?? "") ?? 3000
var random = SeededGenerator(seed: seed)
func maybe(_ v: @autoclosure () -> Any) -> Any? { Int.random(in: 0..<6, using: &random) == 0 ? nil : v() }
func text() -> String { ["", "a", "A", "B", "b", "ä", "Ä", "e\u{301}", "é", "3", "1.5", "漢😀", "aBc", "\u{FFFD}", "x", "a*"].randomElement(using: &random)! }
var rows: [(Placed, Row)] = []
for i in 0..<16 {
  var values: [String: Any] = [:]
  for k in Row.keys {
    let n = Int.random(in: -2...4, using: &random)
    let v: Any?
    switch k {
    case "int16", "int32", "passing": v = maybe(NSNumber(value: n))
    case "serial": v = NSNumber(value: i)
    case "int64": v = maybe(NSNumber(value: [Int64(n), .max, .min, 9007199254740993][Int.random(in: 0..<4, using: &random)]))
    case "flag": v = maybe(NSNumber(value: n > 0))
    case "double": v = maybe(NSNumber(value: [Double(n), Double(n) / 2, .nan, .infinity, 9007199254740992][Int.random(in: 0..<5, using: &random)]))
    case "float": v = maybe(NSNumber(value: Float(n) / 2))
    case "date": v = maybe(Date(timeIntervalSinceReferenceDate: Double(n) / 2))
    case "text", "extra": v = maybe(text())
    case "decimal": v = maybe(NSDecimalNumber(decimal: Decimal(n) / 2))
    case "data": v = maybe(Data([UInt8(abs(n))]))
    case "uuid": v = maybe(UUID())
    case "uri": v = maybe(URL(string: "x:y")!)
    case "tags": v = maybe([text(), text()])
    default: v = nil
    }
    if let v { values[k] = v }
  }
  let p = Placed(), r = Row()
  p.values = values; r.values = values
  rows.append((p, r))
}
func outcome(_ body: () throws -> Bool) -> String {
  do { return "\(try body())" } catch { return String("\(error)".replacingOccurrences(of: "Probe.Placed|Probe.Row|Placed|Row|0x[0-9a-f]+", with: "", options: .regularExpression)) }
}
var formats = CompilableFormats(random: SeededGenerator(seed: seed))
var bad = 0, compiled = 0, asked = 0, unparsed = 0, errors = 0
for _ in 0..<cases {
  let format = formats.predicate(Int.random(in: 0...2, using: &formats.random))
  guard let predicate = try? NSPredicate(parsing: format) else { unparsed += 1; if unparsed < 4 { print("unparsed", format) }; continue }
  for (p, r) in rows {
    let a = outcome { try predicate.evaluateChecked(with: p) }, b = outcome { try predicate.evaluateChecked(with: r) }
    asked += 1
    if b != "true" && b != "false" { errors += 1 }
    if ((predicate as? NSComparisonPredicate)?.compiledAnswer(for: p) ?? (predicate as? NSCompoundPredicate)?.compiledAnswer(for: p)) != nil { compiled += 1 }
    if a != b { bad += 1; if bad < 20 { print("DIFFERENT", format, p.values, "compiled:", a, "general:", b) } }
  }
}
print("asked \(asked) compiled \(compiled) errors \(errors) unparsed \(unparsed) bad \(bad)")
let keys = ["int16", "int64", "flag", "double", "float", "decimal", "text", "date", "uuid", "data", "serial", "passing"]
let selectors: [OpenCocoaFoundation.Selector] = ["compare:", "compare:", "caseInsensitiveCompare:", "localizedCompare:", "localizedCaseInsensitiveCompare:", "localizedStandardCompare:"]
var badSorts = 0
for _ in 0..<cases / 10 {
  let order = (0..<Int.random(in: 1...3, using: &random)).map { _ in NSSortDescriptor(key: keys.randomElement(using: &random)!, ascending: Bool.random(using: &random), selector: selectors.randomElement(using: &random)!) }
  let e = try rows.map(\.1).checkedSorted(by: order).map { $0.values["serial"] as! Int }
  let a = try rows.map(\.0).checkedSorted(by: order).map { $0.values["serial"] as! Int }
  let c = (rows.map(\.0) as NSArray).sortedArray(using: order).map { ($0 as! Placed).values["serial"] as! Int }
  let d = (rows.map(\.1) as NSArray).sortedArray(using: order).map { ($0 as! Row).values["serial"] as! Int }
  if e != a || c != d { badSorts += 1; if badSorts < 5 { print(order, e, a, c, d) } }
}
print("bad sorts \(badSorts)")
