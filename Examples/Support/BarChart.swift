import Foundation

/// Bars for figures of the same things, a group for each figure, as text and as a picture.
package struct BarChart {
  /// One figure of all things.
  package struct Group {
    package var title: String
    /// A value for each name, in the order of the names; nil where there is none.
    package var values: [Double?]
    /// The value in words, with its unit.
    package var text: (Double) -> String

    package init(_ title: String, _ values: [Double?], _ text: @escaping (Double) -> String) {
      self.title = title
      self.values = values
      self.text = text
    }
  }

  package var title: String
  package var names: [String]
  package var groups: [Group]

  package init(title: String, names: [String], groups: [Group]) {
    self.title = title
    self.names = names
    self.groups = groups
  }

  /// The groups below each other, each with the longest bar for its largest value.
  package var text: String {
    groups.map { group in
      let width = names.map(\.count).max() ?? 0
      let lines = zip(names, group.values).map { name, value in
        let label = name + String(repeating: " ", count: width - name.count)
        guard let value else { return "  \(label)  -" }
        let length = Int((share(value, in: group) * 40).rounded())
        return "  \(label)  " + String(repeating: "#", count: max(length, value > 0 ? 1 : 0))
          + (value > 0 ? " " : "") + group.text(value)
      }
      return ([group.title] + lines).joined(separator: "\n")
    }.joined(separator: "\n\n")
  }

  /// The part of the largest value of the group, from 0 to 1.
  func share(_ value: Double, in group: Group) -> Double {
    let most = group.values.compactMap(\.self).max() ?? 0
    return most > 0 ? max(0, value / most) : 0
  }
}
