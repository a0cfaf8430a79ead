#include "sim/wire/child_process.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <boost/asio/buffer.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <boost/asio/steady_timer.hpp>
#include <csignal>
#include <deque>
#include <system_error>

#include "sim/wire/warden.h"

namespace rollover {
namespace {

namespace asio = boost::asio;
using Code = boost::system::error_code;

constexpr std::size_t kBlockBytes = 256 * 1024;
constexpr std::chrono::milliseconds kLook{200};        // between questions whether to give up
constexpr std::chrono::milliseconds kLastWords{1000};  // from the end of its output to its own
constexpr std::size_t kLogLineBytesMax = 1000;         // of one line that is kept
constexpr std::size_t kLogFileBytesMax = std::size_t{1} << 28;

// A write to a process that has died must be an error, not our end.
void IgnoreBrokenPipes() {
  static const bool ignored = [] {
    std::signal(SIGPIPE, SIG_IGN);
    return true;
  }();
  (void)ignored;
}

// The last lines of what goes through it, in bounded memory.
class LastLines {
 public:
  void Add(std::string_view bytes) {
    for (const char c : bytes) {
      if (c == '\n') {
        Close();
      } else if (open_.size() < kLogLineBytesMax) {
        open_.push_back(c);
      }
    }
  }
  std::vector<std::string> Lines() const {
    std::vector<std::string> lines(lines_.begin(), lines_.end());
    if (!open_.empty()) lines.push_back(open_);
    return lines;
  }

 private:
  void Close() {
    lines_.push_back(std::move(open_));
    open_.clear();
    if (lines_.size() > kLogLinesKept) lines_.pop_front();
  }
  std::deque<std::string> lines_;
  std::string open_;
};

struct LogFile {
  LogFile() = default;
  LogFile(const LogFile&) = delete;
  LogFile& operator=(const LogFile&) = delete;
  ~LogFile() {
    if (number >= 0) ::close(number);
  }
  int number = -1;
};

}  // namespace

class ChildProcess::Io {
 public:
  explicit Io(const ChildConfig& config)
      : timeout_(config.timeout),
        wait_(std::max(config.timeout, config.start_timeout)),
        line_bytes_max_(config.line_bytes_max),
        interrupted_(config.interrupted),
        command_(config.program.command),
        in_(context_),
        out_(context_),
        err_(context_),
        ended_(context_),
        timer_(context_) {
    IgnoreBrokenPipes();
    if (!config.log.empty()) OpenLog(config.log);
    const Spawned spawned = Spawn(config.program);
    process_ = spawned.process;
    in_.assign(spawned.in);
    out_.assign(spawned.out);
    err_.assign(spawned.err);
    for (auto* end : {&in_, &out_, &err_}) end->non_blocking(true);
    ReadOut();
    ReadErr();
    if (spawned.ended >= 0) {
      ended_.assign(spawned.ended);
      ended_.async_wait(asio::posix::stream_descriptor::wait_read, [this](const Code& code) {
        if (!code) Reap(0);
      });
    }
  }
  ~Io() { Kill(); }
  Io(const Io&) = delete;
  Io& operator=(const Io&) = delete;

  void Send(std::string_view line) {
    queued_ += line;
    queued_ += '\n';
  }

  Got Receive(std::string_view& line) {
    DropTaken();
    // What is queued waits until all that is there was received, and goes out in one piece.
    if (TakeLine(line)) return Sized(line);
    Begin();
    for (;;) {
      if (TakeLine(line)) return Sized(line);
      if (received_.size() - begin_ > line_bytes_max_) return Got::kTooLong;
      if (Over()) return Got::kClosed;
      if (late_) return given_up_ ? Got::kInterrupted : Got::kTimeout;
      context_.run_one();
    }
  }

  Got Sized(std::string_view line) {
    wait_ = timeout_;
    return line.size() > line_bytes_max_ ? Got::kTooLong : Got::kLine;
  }

  void Flush() {
    Begin();
    while (writing_ && !reaped_ && !late_) context_.run_one();
  }

  void AwaitBytes() {
    DropTaken();
    Begin();
    while (received_.size() == begin_ && !Over() && !late_) context_.run_one();
  }

  std::string_view unread() const { return std::string_view(received_).substr(taken_); }

  void Kill() {
    if (reaped_) return;
    ::kill(-process_, SIGKILL);
    Reap(1);
  }

  void Signal(int signal) const {
    if (!reaped_) ::kill(-process_, signal);
  }

  Executable Became() const { return rollover::Became(command_, process_); }

  const std::string& ending() const { return ending_; }
  std::chrono::milliseconds timeout() const { return wait_; }

  std::vector<std::string> Log() {
    DrainErr();
    return last_lines_.Lines();
  }

 private:
  // Output that comes after the end of a process is not waited for: a child of its own may hold the
  // pipe for ever. A process whose output is closed mostly ends, and how it ended is worth a
  // moment.
  bool Over() {
    if (reaped_ && !drained_) {
      DrainOut();
      return false;
    }
    if (reaped_ || !out_closed_) return reaped_;
    return late_ || asio::steady_timer::clock_type::now() >= closed_ + kLastWords;
  }

  // A wait begins: what is queued goes out, and the clock starts.
  void Begin() {
    if (!queued_.empty() && !writing_) {
      sent_.swap(queued_);
      queued_.clear();
      at_ = 0;
      Write();
    }
    late_ = false;
    context_.restart();  // it may have run out of work
    began_ = asio::steady_timer::clock_type::now();
    if (!armed_) Arm();
  }

  // One timer goes on across waits: most end long before it.
  void Arm() {
    armed_ = true;
    timer_.expires_at(std::min(began_ + wait_, asio::steady_timer::clock_type::now() + kLook));
    timer_.async_wait([this](const Code& code) {
      armed_ = false;
      if (code) return;
      given_up_ = interrupted_ && interrupted_();
      if (given_up_ || asio::steady_timer::clock_type::now() >= began_ + wait_) {
        late_ = true;
      } else {
        Arm();
      }
    });
  }

  void Write() {
    writing_ = true;
    const auto rest = asio::buffer(sent_.data() + at_, sent_.size() - at_);
    in_.async_write_some(rest, [this](const Code& code, std::size_t bytes) {
      writing_ = false;
      at_ += bytes;
      if (code) return;  // it reads no more; what it says instead is seen elsewhere
      if (at_ == sent_.size()) {
        sent_.clear();
        at_ = 0;
        if (queued_.empty()) return;
        sent_.swap(queued_);
      }
      Write();
    });
  }

  void ReadOut() {
    out_.async_read_some(asio::buffer(out_block_), [this](const Code& code, std::size_t bytes) {
      received_.append(out_block_.data(), bytes);
      if (code) {
        out_closed_ = true;
        closed_ = asio::steady_timer::clock_type::now();
      } else {
        ReadOut();
      }
    });
  }

  void ReadErr() {
    err_.async_read_some(asio::buffer(err_block_), [this](const Code& code, std::size_t bytes) {
      Note(std::string_view(err_block_.data(), bytes));
      if (!code) ReadErr();
    });
  }

  void DrainOut() {
    drained_ = true;
    std::array<char, 65536> block;
    while (received_.size() - begin_ <= line_bytes_max_) {
      const ssize_t bytes = ::read(out_.native_handle(), block.data(), block.size());
      if (bytes <= 0) return;
      received_.append(block.data(), static_cast<std::size_t>(bytes));
    }
  }

  // What is there now, but not without end.
  void DrainErr() {
    std::array<char, 65536> block;
    for (int blocks = 0; blocks < 64; ++blocks) {
      const ssize_t bytes = ::read(err_.native_handle(), block.data(), block.size());
      if (bytes <= 0) return;
      Note(std::string_view(block.data(), static_cast<std::size_t>(bytes)));
    }
  }

  void Note(std::string_view bytes) {
    last_lines_.Add(bytes);
    if (log_.number < 0 || logged_ > kLogFileBytesMax) return;
    logged_ += bytes.size();
    const ssize_t written = ::write(log_.number, bytes.data(), bytes.size());
    (void)written;  // a full disk loses the log and nothing else
  }

  void OpenLog(const std::string& path) {
    log_.number = ::open(path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
    if (log_.number < 0) throw std::system_error(errno, std::generic_category(), path);
  }

  // Its group goes with it, so that no child of its own is left.
  void Reap(int wait) {
    if (reaped_) return;
    int status = 0;
    siginfo_t info{};
    const int options = WEXITED | WNOWAIT | (wait == 0 ? WNOHANG : 0);
    if (::waitid(P_PID, static_cast<id_t>(process_), &info, options) != 0 || info.si_pid == 0) {
      return;
    }
    ::kill(-process_, SIGKILL);
    ReleaseGroup(process_);
    ::waitpid(process_, &status, 0);
    reaped_ = true;
    ending_ = WIFEXITED(status) ? fmt::format("exit code {}", WEXITSTATUS(status))
                                : fmt::format("signal {}", WTERMSIG(status));
  }

  void DropTaken() {
    if (begin_ > kBlockBytes || begin_ == received_.size()) {
      received_.erase(0, begin_);
      scanned_ -= begin_;
      begin_ = 0;
    }
    taken_ = begin_;
  }

  bool TakeLine(std::string_view& line) {
    const std::size_t end = received_.find('\n', scanned_);
    if (end == std::string::npos) {
      scanned_ = received_.size();
      return false;
    }
    line = std::string_view(received_).substr(begin_, end - begin_);
    begin_ = end + 1;
    scanned_ = begin_;
    taken_ = begin_;
    return true;
  }

  std::chrono::milliseconds timeout_;  // once it has said something
  std::chrono::milliseconds wait_;
  std::size_t line_bytes_max_;
  std::function<bool()> interrupted_;
  std::string command_;
  asio::io_context context_{BOOST_ASIO_CONCURRENCY_HINT_UNSAFE};
  asio::posix::stream_descriptor in_;
  asio::posix::stream_descriptor out_;
  asio::posix::stream_descriptor err_;
  asio::posix::stream_descriptor ended_;
  asio::steady_timer timer_;
  asio::steady_timer::time_point began_{};
  bool armed_ = false;
  bool late_ = false;  // the wait is over
  bool given_up_ = false;

  pid_t process_ = -1;
  bool reaped_ = false;
  std::string ending_;

  std::string queued_;
  std::string sent_;
  std::size_t at_ = 0;  // of sent_
  bool writing_ = false;

  std::string received_;
  std::size_t begin_ = 0;    // of the line that is waited for
  std::size_t scanned_ = 0;  // no line feed before
  std::size_t taken_ = 0;    // what is before was asked for
  bool out_closed_ = false;
  asio::steady_timer::time_point closed_{};
  bool drained_ = false;
  std::vector<char> out_block_ = std::vector<char>(kBlockBytes);
  std::vector<char> err_block_ = std::vector<char>(16 * 1024);

  LastLines last_lines_;
  LogFile log_;
  std::size_t logged_ = 0;
};

ChildProcess::ChildProcess(const ChildConfig& config) : io_(std::make_unique<Io>(config)) {}
ChildProcess::~ChildProcess() = default;

void ChildProcess::Send(std::string_view line) { io_->Send(line); }
ChildProcess::Got ChildProcess::Receive() {
  line_ = {};  // the one before lies in memory that may be gone
  return io_->Receive(line_);
}
std::chrono::milliseconds ChildProcess::timeout() const { return io_->timeout(); }
void ChildProcess::Flush() { io_->Flush(); }
void ChildProcess::AwaitBytes() { io_->AwaitBytes(); }
std::string_view ChildProcess::unread() const { return io_->unread(); }
void ChildProcess::Kill() { io_->Kill(); }
void ChildProcess::Stop() { io_->Signal(SIGSTOP); }
void ChildProcess::Continue() { io_->Signal(SIGCONT); }
Executable ChildProcess::Became() const { return io_->Became(); }
const std::string& ChildProcess::ending() const { return io_->ending(); }
std::vector<std::string> ChildProcess::Log() { return io_->Log(); }

}  // namespace rollover
