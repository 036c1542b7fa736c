import Foundation
internal import XMLReading

/// Reads property lists in XML. Foundation's reader is not used, because it recurses as deep as the bytes say.
struct XMLPropertyListReader {
  private var scanner: XMLScanner
  /// The greatest depth of nested dictionaries and arrays.
  private let deepest: Int

  /// Returns the value at the top of a property list.
  /// - Throws: `ArchiveProblem`.
  static func read(_ data: Data, deepest: Int) throws -> Any {
    do {
      var reader = XMLPropertyListReader(scanner: try XMLScanner(data), deepest: deepest)
      return try reader.top()
    } catch let problem as XMLProblem {
      throw ArchiveProblem("The property list is damaged: \(problem.reason)")
    }
  }

  private mutating func top() throws -> Any {
    guard var name = try child() else { throw ArchiveProblem("The property list is empty.") }
    let hasFrame = name == "plist"
    if hasFrame {
      guard let first = try child() else { throw ArchiveProblem("The property list is empty.") }
      name = first
    }
    let value = try value(name, depth: 0)
    if hasFrame, let other = try child() { throw ArchiveProblem("The property list has a second value: <\(other)>.") }
    guard try child() == nil else { throw ArchiveProblem("The property list has a second value.") }
    return value
  }

  private mutating func value(_ name: String, depth: Int) throws -> Any {
    guard depth < deepest else { throw ArchiveProblem("The property list is nested too deep.") }
    switch name {
    case "dict":
      var result: [String: Any] = [:]
      while let part = try child() {
        guard part == "key" else { throw ArchiveProblem("The property list has <\(part)> where a key is expected.") }
        let key = try text()
        guard let part = try child() else { throw ArchiveProblem("The property list has no value of “\(key)”.") }
        result[key] = try value(part, depth: depth + 1)
      }
      return result
    case "array":
      var result: [Any] = []
      while let part = try child() { result.append(try value(part, depth: depth + 1)) }
      return result
    case "string": return try text()
    case "true", "false":
      guard try child() == nil else { throw ArchiveProblem("The property list has a value in a truth value.") }
      return NSNumber(value: name == "true")
    case "integer", "real", "date", "data":
      let text = try text()
      guard let value = Self.scalar(name, text.filter { !$0.isWhitespace }) else {
        throw ArchiveProblem("The property list has a <\(name)> that is none: “\(text.prefix(40))”.")
      }
      return value
    default: throw ArchiveProblem("The property list has an element of unknown kind: <\(name)>.")
    }
  }

  private static func scalar(_ name: String, _ text: String) -> Any? {
    switch name {
    case "integer": integer(text)
    case "real": real(text).map { NSNumber(value: $0) }
    case "date": date(text)
    default: Data(base64Encoded: text)
    }
  }

  /// Parses an integer, which is decimal or, after 0x, hexadecimal.
  private static func integer(_ text: String) -> NSNumber? {
    let isNegative = text.hasPrefix("-")
    let digits = isNegative || text.hasPrefix("+") ? text.dropFirst() : text[...]
    let isHexadecimal = digits.hasPrefix("0x") || digits.hasPrefix("0X")
    let bare = isHexadecimal ? digits.dropFirst(2) : digits
    guard bare.first?.isHexDigit == true, let size = UInt64(bare, radix: isHexadecimal ? 16 : 10) else { return nil }
    if isNegative { return size > 1 << 63 ? nil : NSNumber(value: Int64(truncatingIfNeeded: 0 &- size)) }
    return Int64(exactly: size).map { NSNumber(value: $0) } ?? NSNumber(value: size)
  }

  private static func real(_ text: String) -> Double? {
    switch text.lowercased() {
    case "nan": .nan
    case "inf", "+inf", "infinity", "+infinity": .infinity
    case "-inf", "-infinity": -.infinity
    default: Double(text).flatMap { $0.isFinite ? $0 : nil }
    }
  }

  /// Parses a date such as 2026-11-23T16:00:00Z.
  private static func date(_ text: String) -> Date? {
    let parts = text.dropLast().split(separator: "T", omittingEmptySubsequences: false)
    guard text.hasSuffix("Z"), parts.count == 2 else { return nil }
    // A year before the year 0 has a sign.
    let isBefore = parts[0].hasPrefix("-")
    let day = parts[0].dropFirst(isBefore ? 1 : 0).split(separator: "-", omittingEmptySubsequences: false)
    let numbers = (day + parts[1].split(separator: ":", omittingEmptySubsequences: false)).map { part in
      part.utf8.count <= 9 && part.utf8.allSatisfy { (48...57).contains($0) } ? Int(part) : nil
    }
    guard day.count == 3, numbers.count == 6, !numbers.contains(nil) else { return nil }
    let values = numbers.compactMap(\.self)
    guard (1...12).contains(values[1]), (1...31).contains(values[2]), values[3] < 24, values[4] < 60, values[5] < 61
    else { return nil }
    let days = days(isBefore ? -values[0] : values[0], values[1], values[2])
    return Date(timeIntervalSinceReferenceDate: Double(((days * 24 + values[3]) * 60 + values[4]) * 60 + values[5]))
  }

  /// Returns the number of days from 2001-01-01 to a day of the Gregorian calendar, which is extended to times before its
  /// introduction.
  private static func days(_ year: Int, _ month: Int, _ day: Int) -> Int {
    // Years are counted from March, so that the leap day is the last day of a year.
    let year = month <= 2 ? year - 1 : year
    let era = (year >= 0 ? year : year - 399) / 400
    let yearOfEra = year - era * 400
    let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
    return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 730_791
  }

  // MARK: Elements

  /// Returns the name of the next element inside of the current one; nil at the end of the current one.
  private mutating func child() throws -> String? {
    while true {
      switch try scanner.next() {
      case .start(let name, _): return name
      case .text(let text) where text.utf8.allSatisfy({ $0 <= 32 }): continue
      case .text: throw ArchiveProblem("The property list has text between its values.")
      case .end, .finished: return nil
      }
    }
  }

  /// Reads the text of the current element up to its end.
  private mutating func text() throws -> String {
    var result = ""
    while true {
      switch try scanner.next() {
      case .text(let part): result += part
      case .start(let name, _): throw ArchiveProblem("The property list has <\(name)> inside of text.")
      case .end, .finished: return result
      }
    }
  }
}
