import Foundation

/// The JSON that `dot -Tjson0` writes; its numbers are strings.
struct DotOutput {
  private struct Content: Decodable {
    struct Object: Decodable {
      let name: String
      let pos: String?
    }
    struct Edge: Decodable {
      let id: String
      let pos: String?
      let lp: String?
    }
    let bb: String
    let objects: [Object]?
    let edges: [Edge]?
  }

  private let content: Content

  init(_ data: Data) throws { content = try JSONDecoder().decode(Content.self, from: data) }

  /// - Throws: An error if a box or a line has no position, or a position that is not a number.
  func places(for sketch: ModelSketch) throws -> GraphLayout.Places {
    let bounds = try numbers(content.bb)
    guard bounds.count == 4 else { throw Self.unexpected }
    let height = bounds[3]
    let objects = Dictionary(
      (content.objects ?? []).map { ($0.name, $0.pos) }, uniquingKeysWith: { first, _ in first })
    let edges = Dictionary((content.edges ?? []).map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
    let boxes = try sketch.boxes.indices.map { number in
      try points(objects["n\(number)"] ?? nil, height).first.unwrapped(Self.unexpected)
    }
    let lines = try sketch.lines.indices.map { number in
      let edge = edges[String(number)]
      let curve = try points(edge?.pos, height)
      guard curve.count >= 4, curve.count % 3 == 1 else { throw Self.unexpected }
      return (curve: curve, label: try edge?.lp.map { try points($0, height) }?.first)
    }
    return GraphLayout.Places(width: bounds[2], height: height, boxes: boxes, lines: lines)
  }

  private static let unexpected = GraphLayout.Failure(text: "“dot” wrote what the studio does not understand.")

  private func numbers(_ text: String) throws -> [Double] {
    try text.split(separator: ",").map { part in
      guard let number = Double(part), number.isFinite, abs(number) < 1e6 else { throw Self.unexpected }
      return number
    }
  }

  /// Returns pairs of numbers as points; if there are several curves, only the first is used.
  private func points(_ text: String?, _ height: Double) throws -> [GraphLayout.Point] {
    let curve = (text ?? "").split(separator: ";").first ?? ""
    return try curve.split(separator: " ").map { part in
      let pair = try numbers(String(part))
      guard pair.count == 2 else { throw Self.unexpected }
      return GraphLayout.Point(x: pair[0], y: height - pair[1])
    }
  }
}

extension Optional {
  fileprivate func unwrapped(_ failure: some Error) throws -> Wrapped {
    guard let self else { throw failure }
    return self
  }
}
