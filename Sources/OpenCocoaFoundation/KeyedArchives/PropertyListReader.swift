import Foundation

/// Reads property lists from outside: metadata of stores, files beside models, tokens.
///
/// Foundation on Linux stops the program if a dictionary that contains a set, as a binary list may, is cast to `[String:
/// Any]`; and its readers recurse as deeply as the bytes say. Binary lists are read by `BinaryPropertyListReader`, lists in
/// XML by `XMLPropertyListReader`. Lists in the form of OpenStep, which no program writes any more, are refused.
package enum PropertyListReader {
  /// The largest depth of nested dictionaries and arrays.
  private static let deepest = 64

  /// The dictionary at the top of a property list.
  /// - Throws: `ArchiveProblem` for bytes that are not a property list, have another value at the top, or are nested too
  ///   deeply.
  package static func dictionary(_ data: Data) throws -> [String: Any] {
    if data.starts(with: Data("bplist".utf8)) {
      guard case .dictionary(let values) = try BinaryPropertyListReader.read(data, deepest: deepest) else {
        throw ArchiveProblem("The property list has no dictionary at the top.")
      }
      return try values.mapValues { try $0.foundationValue }
    }
    let start = data.drop { [0x20, 0x09, 0x0A, 0x0D, 0xEF, 0xBB, 0xBF].contains($0) }
    guard start.first == UInt8(ascii: "<") else { throw ArchiveProblem("The data is no property list.") }
    guard let dictionary = try XMLPropertyListReader.read(data, deepest: deepest) as? [String: Any] else {
      throw ArchiveProblem("The property list has no dictionary at the top.")
    }
    return dictionary
  }
}

extension PropertyListValue {
  /// The value in the form of Foundation's property lists.
  /// - Throws: `ArchiveProblem` for a UID, which only keyed archives contain.
  package var foundationValue: Any {
    get throws {
      switch self {
      case .bool(let value): NSNumber(value: value)
      case .integer(let value): NSNumber(value: value)
      case .unsigned(let value): NSNumber(value: value)
      case .real(let value): NSNumber(value: value)
      case .date(let seconds): Date(timeIntervalSinceReferenceDate: seconds)
      case .data(let data): data
      case .string(let text): text
      case .array(let values): try values.map { try $0.foundationValue }
      case .dictionary(let values): try values.mapValues { try $0.foundationValue }
      case .uid: throw ArchiveProblem("The property list has a reference of a keyed archive.")
      }
    }
  }
}

extension PropertyListValue {
  /// Converts a value that consists of strings, integers, floating-point numbers, dates, data, arrays, and dictionaries with
  /// strings as keys. Nil for other values, and for values whose kind only Foundation's classes show, such as Boolean
  /// values, which otherwise look like small numbers.
  package init?(foundationValue value: Any) {
    // A cast of a dictionary of Foundation's to one of Swift's stops the program where a set is in it.
    let isObject = type(of: value) is AnyClass
    switch value {
    case let text as String: self = .string(text)
    case let data as Data: self = .data(data)
    case let date as Date: self = .date(date.timeIntervalSinceReferenceDate)
    case let number as Int where type(of: value) == Int.self: self = .integer(Int64(number))
    case let number as Double where type(of: value) == Double.self: self = .real(number)
    case let number as NSNumber:
      switch UnicodeScalar(UInt8(bitPattern: number.objCType.pointee)) {
      case "s", "i", "l", "q": self = .integer(number.int64Value)
      case "f", "d": self = .real(number.doubleValue)
      default: return nil
      }
    case let array as [Any] where !isObject:
      var values: [PropertyListValue] = []
      for element in array {
        guard let element = PropertyListValue(foundationValue: element) else { return nil }
        values.append(element)
      }
      self = .array(values)
    case let dictionary as [String: Any] where !isObject:
      var values: [String: PropertyListValue] = [:]
      for (key, element) in dictionary {
        guard let element = PropertyListValue(foundationValue: element) else { return nil }
        values[key] = element
      }
      self = .dictionary(values)
    default: return nil
    }
  }
}
