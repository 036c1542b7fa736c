import OpenCoreData

/// Where time was spent, by callers: functions of the program, from the outermost inwards, with their activities as
/// leaves.
///
/// Only activities that lie in no other one are counted, so that times add up.
public struct CallTree: Encodable, Sendable {
  /// A function or an activity.
  public struct Node: Encodable, Sendable {
    /// The name of the function or activity.
    public let name: String
    /// Whether the node is an activity and not a function.
    public let isActivity: Bool
    /// How often and how long the activities of this node and its descendants ran.
    public fileprivate(set) var measure = Measure()
    /// The child nodes, the most expensive first.
    public fileprivate(set) var children: [Node] = []
  }

  /// The root nodes, the most expensive first.
  public private(set) var roots: [Node]

  init(_ recording: Recording, _ paths: CallPaths, _ nesting: ActivityNesting) {
    let top = Branch(name: "", isActivity: false)
    for (place, activity) in recording.activities.enumerated() where nesting.isOutermost[place] {
      var branch = top
      for function in paths.path(activity.stack).reversed() { branch = branch.child(.function(function), paths) }
      branch = branch.child(.activity(activity.callTitle), paths)
      branch.measure.add(activity.duration, rows: activity.rows)
    }
    roots = top.node.children
  }

  /// The tree without the outer functions that all paths share, such as `main` or the function that runs a command.
  public var branching: [Node] {
    var nodes = roots
    while nodes.count == 1, let only = nodes.first, !only.isActivity, !only.children.contains(where: \.isActivity) {
      nodes = only.children
    }
    return nodes
  }

  private final class Branch {
    enum Step: Hashable { case function(CallPaths.Function), activity(String) }

    let name: String
    let isActivity: Bool
    var measure = Measure()
    private var children: [Step: Branch] = [:]

    init(name: String, isActivity: Bool) {
      self.name = name
      self.isActivity = isActivity
    }

    func child(_ step: Step, _ paths: CallPaths) -> Branch {
      if let known = children[step] { return known }
      let made =
        switch step {
        case .function(let function): Branch(name: paths.names[function], isActivity: false)
        case .activity(let title): Branch(name: title, isActivity: true)
        }
      children[step] = made
      return made
    }

    var node: Node {
      var node = Node(name: name, isActivity: isActivity)
      node.measure = measure
      node.children = children.values.map(\.node).sorted {
        ($0.measure.total, $1.name) > ($1.measure.total, $0.name)
      }
      for child in node.children { node.measure.add(child.measure) }
      return node
    }
  }
}
