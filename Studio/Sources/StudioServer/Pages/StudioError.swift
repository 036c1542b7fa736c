import HTTPTypes

/// A failure that is shown as a page: what went wrong, and what to do.
struct StudioError: Error {
  let status: HTTPResponse.Status
  let title: String
  let text: String

  init(_ status: HTTPResponse.Status, _ title: String, _ text: String) {
    (self.status, self.title, self.text) = (status, title, text)
  }

  static func notFound(_ what: String) -> StudioError {
    StudioError(.notFound, "Not found", what)
  }
}
