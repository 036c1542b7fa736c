/// Writes the linker's names of Swift declarations, by the rules of the stable ABI.
///
/// One mangler writes one symbol: a part that was written before is written as a reference when it occurs again.
package struct Mangler {
  /// A part of a symbol to which a reference is possible.
  enum Substitution: Hashable {
    case identifier(String)
    case type(ResolvedType)
  }

  var buffer: [UInt8]
  var substitutions: [Substitution: Int] = [:]
  /// The words of the identifiers written so far, in order.
  var words: [[UInt8]] = []
  var merging = SubstitutionMerging()

  package init(prefix: String = "$s") { buffer = Array(prefix.utf8) }

  package var symbol: String { String(decoding: buffer, as: UTF8.self) }

  mutating func append(_ text: String) { buffer += Array(text.utf8) }

  /// Writes a reference to a part that was written before. Returns false if the part is new and has to be written in
  /// full.
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

/// State for the merging of adjacent substitutions, which share their first letter: `ABAC` is written `AbC`, `ABAB` is
/// written `A2B`.
struct SubstitutionMerging {
  var position = 0
  var size = 0
  var count = 0
  var isStandard = false
}

extension Mangler {
  /// Writes a substitution letter after `A`, or after `S` for the standard library's types.
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
        // The letter before becomes a lowercase one, because another letter follows.
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
