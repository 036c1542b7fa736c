import Foundation

/// Many values of one type, which become one variable.
package enum SQLList: Sendable {
  case integers([Int64])
  case reals([Double])
  case texts([String])
  /// Texts that contain U+0000, which some databases cannot store in a text.
  case textsWithNUL([String])
  case data([Data])

  /// Returns one list for each type of value. A value is compared only with the list of its own type.
  package static func lists(of values: [SQLValue]) -> [SQLList] {
    var integers: [Int64] = []
    var reals: [Double] = []
    var texts: [String] = []
    var data: [Data] = []
    var textsWithNUL: [String] = []
    for value in values {
      switch value {
      case .null: break
      case .integer(let value): integers.append(value)
      case .real(let value): reals.append(value)
      case .blob(let value): data.append(value)
      case .text(let text): if text.utf8.contains(0) { textsWithNUL.append(text) } else { texts.append(text) }
      }
    }
    var lists: [SQLList] = []
    if !integers.isEmpty { lists.append(.integers(integers)) }
    if !reals.isEmpty { lists.append(.reals(reals)) }
    if !texts.isEmpty { lists.append(.texts(texts)) }
    if !data.isEmpty { lists.append(.data(data)) }
    if !textsWithNUL.isEmpty { lists.append(.textsWithNUL(textsWithNUL)) }
    return lists
  }
}
