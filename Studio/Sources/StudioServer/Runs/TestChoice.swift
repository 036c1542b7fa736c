import Foundation

/// The chosen options of a test program, after they were checked.
struct TestChoice: Sendable, Equatable {
  /// The values by the option's name, in the order of the options; options that were left out are missing.
  let values: [(name: String, values: [String])]

  static func == (left: TestChoice, right: TestChoice) -> Bool {
    left.values.elementsEqual(right.values) { $0.name == $1.name && $0.values == $1.values }
  }

  /// - Parameter asked: Returns the values that the form sent for an option, by its name.
  /// - Throws: A `StudioError` that names the expected values.
  init(_ program: TestProgram, _ asked: (String) -> [String]) throws {
    values = try program.options.compactMap { option in
      let texts = asked(option.name).map { $0.trimmingCharacters(in: .whitespaces) }.filter { !$0.isEmpty }
      let checked = try Self.checked(texts, option)
      return checked.isEmpty ? nil : (option.name, checked)
    }
  }

  private static func checked(_ texts: [String], _ option: TestOption) throws -> [String] {
    func refused(_ expected: String) -> StudioError {
      StudioError(
        .badRequest, "“\(option.title)” cannot be that",
        "Expected \(expected), found “\(texts.joined(separator: ", "))”.")
    }
    switch option.kind {
    case .number(let range, let standard):
      guard let text = texts.first else { return standard.map { [String($0)] } ?? [] }
      guard texts.count == 1, let number = Int(text), range.contains(number) else {
        throw refused("a number from \(range.lowerBound) to \(range.upperBound)")
      }
      return [String(number)]
    case .choices(let all):
      guard texts.allSatisfy({ text in all.contains { $0.value == text } }) else {
        throw refused("some of \(all.map(\.value).joined(separator: ", "))")
      }
      // The chosen values are in a fixed order, each only once.
      return all.map(\.value).filter(texts.contains)
    case .word(let standard):
      guard let text = texts.first else { return [standard] }
      guard texts.count == 1, text.count <= 40, text.allSatisfy({ $0.isLetter || $0.isNumber || $0 == " " }) else {
        throw refused("up to 40 letters")
      }
      return [text]
    }
  }

  subscript(name: String) -> [String] { values.first { $0.name == name }?.values ?? [] }

  /// The arguments with an equals sign, so that no value can be taken for an option.
  var arguments: [String] { values.flatMap { name, values in values.map { "--\(name)=\($0)" } } }
}
