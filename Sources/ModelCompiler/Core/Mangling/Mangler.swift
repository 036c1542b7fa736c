/// Writes the symbols of Swift declarations by the rules of the stable ABI.
///
/// One mangler writes one symbol: a part that occurs again is written as the number of its first occurrence.
package struct Mangler {
  /// A part of a symbol that can be referred to again.
  enum Substitution: Hashable {
    case identifier(String)
    case type(ResolvedType)
  }

  var buffer: [UInt8]
  var substitutions: [Substitution: Int] = [:]
  /// Words of the identifiers so far, in order.
  var words: [[UInt8]] = []
  var merging = SubstitutionMerging()

  package init(prefix: String = "$s") { buffer = Array(prefix.utf8) }

  package var symbol: String { String(decoding: buffer, as: UTF8.self) }

  mutating func append(_ text: String) { buffer += Array(text.utf8) }

  /// Refers to a substitution that was written before; returns false if it is new and must be written out.
  mutating func appendSubstitution(_ substitution: Substitution) -> Bool {
    guard let index = substitutions[substitution] else { return false }
    if index < 26 {
      appendMerged(UInt8(ascii: "A") + UInt8(index), isStandard: false)
    } else {
      append(index == 26 ? "A_" : "A\(index - 27)_")
    }
    return true
  }

  mutating func addSubstitution(_ substitution: Substitution) {
    if substitutions[substitution] == nil { substitutions[substitution] = substitutions.count }
  }
}

/// Substitutions side by side share their letter: `ABAC` is written `AbC`, `ABAB` is written `A2B`.
struct SubstitutionMerging {
  var position = 0
  var size = 0
  var count = 0
  var isStandard = false
}

extension Mangler {
  /// Writes a substitution letter behind `A`, or `S` for the standard library's types.
  mutating func appendMerged(_ letter: UInt8, isStandard: Bool) {
    if merging.count > 0, merging.count < 2048, buffer.count == merging.position + merging.size,
      merging.isStandard == isStandard
    {
      let last = buffer[buffer.count - 1]
      if last == letter {
        merging.count += 1
        buffer.removeSubrange(merging.position...)
        append("\(merging.count)")
        buffer.append(letter)
        merging.size = buffer.count - merging.position
        return
      }
      if !isStandard {
        merging.position = buffer.count
        merging.count = 1
        merging.size = 1
        // The letter of the previous substitution becomes lowercase, which means that another substitution follows.
        buffer[buffer.count - 1] = last + 32
        buffer.append(letter)
        return
      }
    }
    buffer.append(UInt8(ascii: isStandard ? "S" : "A"))
    merging = SubstitutionMerging(position: buffer.count, size: 1, count: 1, isStandard: isStandard)
    buffer.append(letter)
  }
}
