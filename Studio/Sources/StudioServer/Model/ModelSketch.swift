import CoreDataTools

/// A model as boxes and lines without positions. Sizes are in points.
struct ModelSketch: Sendable, Hashable {
  /// An entity.
  struct Box: Sendable, Hashable {
    let title: String
    let isAbstract: Bool
    let link: String
    /// The attributes, in the form `name: String?`.
    let lines: [String]
    let width: Double
    let height: Double
  }

  /// The label of a relationship at its destination.
  struct End: Sendable, Hashable {
    let name: String
    /// The number of objects, such as 0...1.
    let count: String
    let deleteRule: String
    let isToMany: Bool

    var text: String { "\(name) \(count), \(deleteRule)" }
  }

  /// A relationship with its inverse, or inheritance.
  struct Line: Sendable, Hashable {
    let source: Int
    let destination: Int
    /// The relationship's end at the destination; nil for inheritance, where the destination is the subentity.
    let forward: End?
    let backward: End?
    let width: Double
    let height: Double
  }

  let boxes: [Box]
  let lines: [Line]

  static let lineHeight = 17.0
  static let titleHeight = 28.0
  static let labelHeight = 14.0
  private static let mostLines = 12

  init(boxes: [Box], lines: [Line]) { (self.boxes, self.lines) = (boxes, lines) }

  init(_ model: ModelSummary, link: (String) -> String) {
    boxes = model.entities.map { Self.box($0, link($0.name)) }
    let numbers = Dictionary(model.entities.enumerated().map { ($1.name, $0) }, uniquingKeysWith: { first, _ in first })
    var lines: [Line] = []
    for (number, entity) in model.entities.enumerated() {
      if let parent = entity.superentity.flatMap({ numbers[$0] }) {
        lines.append(
          Line(source: parent, destination: number, forward: nil, backward: nil, width: 0, height: 0))
      }
      for relationship in entity.relationships {
        guard let destination = relationship.destination, let target = numbers[destination] else { continue }
        let inverse = Self.inverse(of: relationship, in: model)
        // A relationship and its inverse are one line, which is drawn for the first of the two.
        if let inverse, (inverse.entity, inverse.relationship.name) < (entity.name, relationship.name) { continue }
        let isItsOwn = inverse.map { ($0.entity, $0.relationship.name) == (entity.name, relationship.name) } ?? false
        let backward = isItsOwn ? nil : inverse.map { Self.end($0.relationship) }
        // The other end is at the entity that declares the inverse, which may be a superentity of the destination.
        let place = inverse.flatMap { numbers[$0.entity] } ?? target
        lines.append(Self.line(number, place, Self.end(relationship), backward))
      }
    }
    self.lines = lines
  }

  private static func line(_ source: Int, _ destination: Int, _ forward: End, _ backward: End?) -> Line {
    let texts = [forward.text, backward?.text].compactMap { $0 }
    let width = texts.map { TextWidth.of(GraphPicture.cut($0), 11) }.max() ?? 0
    // The added width is for the arrow beside each text.
    return Line(
      source: source, destination: destination, forward: forward, backward: backward, width: width + 22,
      height: labelHeight * Double(texts.count) + 4)
  }

  private static func box(_ entity: ModelSummary.Entity, _ link: String) -> Box {
    let all = entity.attributes.map { "\($0.name): \($0.type)\($0.isOptional ? "?" : "")" }
    var lines = all.count > mostLines ? Array(all.prefix(mostLines - 1)) : all
    if lines.count < all.count { lines.append("and \(all.count - lines.count) more") }
    lines = lines.map(GraphPicture.cut)
    let title = GraphPicture.cut(entity.name)
    let width = max(TextWidth.of(title, 13.5), lines.map { TextWidth.of($0, 12) }.max() ?? 0, 60) + 22
    let height = titleHeight + (lines.isEmpty ? 0 : Double(lines.count) * lineHeight + 8)
    return Box(title: title, isAbstract: entity.isAbstract, link: link, lines: lines, width: width, height: height)
  }

  private static func end(_ relationship: ModelSummary.Relationship) -> End {
    End(
      name: relationship.name, count: relationship.count, deleteRule: relationship.deleteRule,
      isToMany: relationship.isToMany)
  }

  /// The inverse relationship, if the destination entity or one of its superentities declares it and it leads back.
  private static func inverse(
    of relationship: ModelSummary.Relationship, in model: ModelSummary
  ) -> (entity: String, relationship: ModelSummary.Relationship)? {
    var next = relationship.destination
    while let name = next, let entity = model.entities.first(where: { $0.name == name }) {
      if let found = entity.relationships.first(where: { $0.name == relationship.inverse }) {
        return found.inverse == relationship.name ? (name, found) : nil
      }
      next = entity.superentity
    }
    return nil
  }
}
