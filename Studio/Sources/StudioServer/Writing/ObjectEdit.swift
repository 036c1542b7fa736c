/// The changes to an object that a form requests.
struct ObjectEdit: Sendable {
  struct Members: Sendable {
    let relationship: String
    let added: [EditReference]
    let removed: [EditReference]
  }

  var values: [(keyPath: String, value: FieldValue)] = []
  var toOnes: [(relationship: String, destination: EditReference?)] = []
  var members: [Members] = []
  var orders: [MemberOrder] = []

  var isEmpty: Bool { values.isEmpty && toOnes.isEmpty && members.isEmpty && orders.isEmpty }
}
