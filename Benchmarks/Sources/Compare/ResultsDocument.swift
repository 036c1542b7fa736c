/// The sections of RESULTS.md: one for each processor, the newest first, and then the other sections.
struct ResultsDocument {
  static let largeTitle = "### 1,000,000 photos"
  private static let machineTitle = "## Measured on "

  /// The sections of the processors, each with its title in the first line.
  private(set) var machines: [String] = []
  private var others: [String] = []

  /// Parses a text. The text before the first section is dropped, because it is written again each time.
  init(_ text: String) {
    var sections: [String] = []
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      if line.hasPrefix("## ") {
        sections.append(String(line))
      } else if !sections.isEmpty {
        sections[sections.count - 1] += "\n" + line
      }
    }
    for section in sections {
      if section.hasPrefix(Self.machineTitle) { machines.append(section) } else { others.append(section) }
    }
  }

  /// Returns the part on the large data sets in a processor's section; nil if there is none.
  func large(of processor: String) -> String? {
    guard let section = machines.first(where: { Self.title(of: $0) == Self.machineTitle + processor }),
      let begin = section.range(of: Self.largeTitle)
    else { return nil }
    return String(section[begin.lowerBound...])
  }

  /// Puts a processor's section first. An earlier section of the same processor is replaced.
  mutating func put(_ section: String, of processor: String) {
    let title = Self.machineTitle + processor
    machines.removeAll { Self.title(of: $0) == title }
    machines.insert("\(title)\n\(section)", at: 0)
  }

  /// Puts a section that belongs to no processor before the other such sections. An earlier section with the same title is
  /// replaced.
  mutating func put(_ section: String, titled title: String) {
    others.removeAll { Self.title(of: $0) == title }
    others.insert(section, at: 0)
  }

  /// Returns the document as text, after a beginning.
  func text(_ beginning: String) -> String {
    let parts = [beginning] + machines + others
    return parts.map { $0.trimmed }.joined(separator: "\n\n") + "\n"
  }

  private static func title(of section: String) -> String {
    String(section.prefix { $0 != "\n" })
  }
}

extension String {
  fileprivate var trimmed: Substring {
    var rest = self[...]
    while rest.last?.isNewline == true { rest.removeLast() }
    return rest
  }
}
