import Testing
import ToolProcess

/// The tool does not ask web services, and says what to do instead.
@Suite struct ServiceURLTests {
  @Test(arguments: [["info"], ["verify"], ["export", "--format", "json"], ["copy"]])
  func aWebServiceIsNoStoreOfTheTool(_ command: [String]) throws {
    // A target of the copy that is none, for a command that needs one.
    let more = command == ["copy"] ? ["Copy.sqlite"] : Array(command.dropFirst())
    let tool = try Tool(["store", command[0], "http://me:hidden@127.0.0.1:1/books?key=hidden"] + more)
    #expect(tool.status == 1 && tool.output.isEmpty, "\(tool.output)")
    #expect(
      tool.errors
        == "Error: http://127.0.0.1:1/books is a web service, which this program cannot ask. Copy its objects into a file with "
        + "WebClient, a program of Examples/WebStore, and open that file: WebClient --store http://127.0.0.1:1/books --model "
        + "MODEL --copy Copy.sqlite\n")
  }
}
