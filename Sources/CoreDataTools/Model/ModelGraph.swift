/// A model as a graph in the language of Graphviz: entities, relationships as edges, inheritance as hollow arrows.
public enum ModelGraph {
  /// Returns the graph of a model.
  /// - Parameters:
  ///   - model: The contents of the model.
  ///   - link: Returns the address to which an entity in the picture links, by the entity's name; nil for no link.
  public static func text(of model: ModelSummary, link: (String) -> String? = { _ in nil }) -> String {
    var lines = [
      "digraph model {", "  rankdir=LR;", "  node [shape=plaintext, fontname=\"Helvetica\"];",
      "  edge [fontname=\"Helvetica\", fontsize=10];",
    ]
    lines += model.entities.map { entity in
      let url = link(entity.name).map { ", URL=\(quoted($0))" } ?? ""
      return "  \(quoted(entity.name)) [label=<\(label(entity))>\(url)];"
    }
    for entity in model.entities {
      if let parent = entity.superentity {
        lines.append("  \(quoted(entity.name)) -> \(quoted(parent)) [arrowhead=empty];")
      }
      for relationship in entity.relationships where isDrawn(relationship, of: entity, in: model) {
        guard let destination = relationship.destination else { continue }
        lines.append("  \(quoted(entity.name)) -> \(quoted(destination)) [\(edge(relationship, in: model))];")
      }
    }
    return (lines + ["}"]).joined(separator: "\n")
  }

  /// Returns whether a relationship is drawn. A relationship and its inverse are drawn as one edge, by the one that comes first
  /// by entity and name.
  private static func isDrawn(
    _ relationship: ModelSummary.Relationship, of entity: ModelSummary.Entity, in model: ModelSummary
  ) -> Bool {
    guard let inverse = inverse(of: relationship, in: model) else { return true }
    return (entity.name, relationship.name) <= (inverse.entity, inverse.relationship.name)
  }

  /// Returns the inverse relationship, if the destination entity or one of its superentities declares it and it leads back.
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

  /// Returns the attributes of an edge, with a crow's foot at an end with many objects.
  private static func edge(_ relationship: ModelSummary.Relationship, in model: ModelSummary) -> String {
    let inverse = inverse(of: relationship, in: model)?.relationship
    var attributes = ["arrowhead=\(relationship.isToMany ? "crow" : "vee")", "headlabel=\(quoted(relationship.name))"]
    if let inverse {
      attributes += ["dir=both", "arrowtail=\(inverse.isToMany ? "crow" : "vee")", "taillabel=\(quoted(inverse.name))"]
    }
    return attributes.joined(separator: ", ")
  }

  private static func label(_ entity: ModelSummary.Entity) -> String {
    let name = escaped(entity.name)
    let title = entity.isAbstract ? "<i>\(name)</i>" : "<b>\(name)</b>"
    let attributes = entity.attributes.map {
      "<tr><td align=\"left\">\(escaped($0.name)): \(escaped($0.type))\($0.isOptional ? "?" : "")</td></tr>"
    }
    return "<table border=\"0\" cellborder=\"1\" cellspacing=\"0\"><tr><td bgcolor=\"lightgrey\">\(title)</td></tr>"
      + attributes.joined() + "</table>"
  }

  private static func quoted(_ text: String) -> String {
    "\"" + text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"") + "\""
  }

  private static func escaped(_ text: String) -> String {
    text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
  }
}
